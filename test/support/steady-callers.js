/**
 * A process of its own that calls a gateway at a steady pace with a good credential: most calls over connections that stay,
 * some over new ones. Arguments: port, path, token. It
 * ends when its input does. Prints the 99th percentile of the times, in milliseconds, and the
 * statuses.
 */
const { Agent, get } = require("node:http");

const [port, path, token] = process.argv.slice(2);
const kept = new Agent({ keepAlive: true, maxSockets: 4 });
const times = [];
const statuses = {};
const note = (status) => {
  statuses[status] = (statuses[status] ?? 0) + 1;
};

function call(agent) {
  const startMs = performance.now();
  const request = get(
    { port, path, agent, host: "127.0.0.1", headers: { authorization: `Bearer ${token}` } },
    (answer) => {
      answer.resume();
      answer.once("end", () => {
        times.push(performance.now() - startMs);
        note(answer.statusCode);
      });
    },
  );
  request.once("error", (error) => note(error.code));
}

let count = 0;
const pace = setInterval(() => {
  count += 1;
  call(count % 10 === 0 ? new Agent({ keepAlive: false }) : kept);
}, 20);

process.stdin.resume().once("end", () => {
  clearInterval(pace);
  const finish = () => {
    times.sort((one, other) => one - other);
    console.log(JSON.stringify({ p99Ms: times[Math.floor(times.length * 0.99)], count, statuses }));
    process.exit(0);
  };
  // Calls in flight count, too.
  setInterval(() => {
    if (Object.values(statuses).reduce((sum, one) => sum + one, 0) === count) finish();
  }, 50);
});
