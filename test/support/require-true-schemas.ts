import { requireTrueSchemas } from "./stored-documents";
import { beforeStop } from "./test-platform";

// Requires that everything that the services have stored when a test file ends satisfies the schemas of their models.
beforeStop.push((platform) => requireTrueSchemas(platform));
