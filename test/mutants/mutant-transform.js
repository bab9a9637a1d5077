const { join } = require("node:path");
const swc = require("@swc/jest");

/** What `make mutants` breaks in this run: `{ file, text, replacement }`. */
const mutant = JSON.parse(process.env.MUTANT ?? "null");

/**
 * Compiles for tests as always, with one line broken. Nothing is written to the tree; what is not broken comes from the same cache
 * that all other runs fill.
 */
module.exports = {
  createTransformer(options) {
    const transformer = swc.createTransformer(options);
    const broken = (source, filename, { config }) =>
      filename === join(config.rootDir, mutant.file) ? source.split(mutant.text).join(mutant.replacement) : source;
    return {
      ...transformer,
      process: (source, filename, context) => transformer.process(broken(source, filename, context), filename, context),
      getCacheKey: (source, filename, context) =>
        transformer.getCacheKey(broken(source, filename, context), filename, context),
    };
  },
};
