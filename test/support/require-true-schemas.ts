import { requireTrueSchemas } from "./stored-documents";
import { beforeStop } from "./test-platform";

// Whatever the services have stored when a test file ends is what the schemas of their models say.
beforeStop.push((platform) => requireTrueSchemas(platform));
