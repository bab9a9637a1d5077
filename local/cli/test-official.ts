import { mongoImages, runOnOfficialImages } from "../containers/official";
import { testcontainersEnv, withTestEngine } from "../containers/test-engine";
import { endWith, mongoSuites } from "../mongo-suites";

/** Runs the suites that use a store on MongoDB's official images. */
withTestEngine(
  `${mongoSuites.join(" and ")} on ${mongoImages.join(" and ")}`,
  async (engine) => {
    Object.assign(process.env, testcontainersEnv(engine));
    return await runOnOfficialImages(engine);
  },
  async () => ({ passed: 0, failed: 0, skipped: mongoSuites.length * mongoImages.length }),
).then(endWith, (error: unknown) => {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
});
