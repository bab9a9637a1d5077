/**
 * Loaded into every process of a pod: it finds the names of Services as the pods of a cluster do, in the table that the test keeps
 * of their ready endpoints, and no other name.
 */
const dns = require("node:dns");
const { readFileSync } = require("node:fs");
const { isIP } = require("node:net");

const file = process.env.CORRIDOR_TEST_NAMES;

function addressesOf(host) {
  if (isIP(host) !== 0) return [host];
  if (host === "localhost") return ["127.0.0.1"];
  const addresses = JSON.parse(readFileSync(file, "utf8"))[host] ?? [];
  if (addresses.length > 0) return addresses;
  throw Object.assign(new Error(`getaddrinfo ENOTFOUND ${host}`), { code: "ENOTFOUND", hostname: host });
}

function lookUp(host, options) {
  const found = addressesOf(host).map((address) => ({ address, family: isIP(address) }));
  // Whoever wants one takes any of them, as connections to the address of a Service do.
  return options.all ? found : found[Math.floor(Math.random() * found.length)];
}

const optionsOf = (given) => (typeof given === "object" && given !== null ? given : {});

dns.promises.lookup = async (host, options) => lookUp(host, optionsOf(options));
dns.promises.resolveTxt = async () => [];
dns.lookup = (host, given, callback = given) => {
  const options = optionsOf(given);
  dns.promises.lookup(host, options).then(
    (found) => (options.all ? callback(null, found) : callback(null, found.address, found.family)),
    (error) => callback(error),
  );
};
