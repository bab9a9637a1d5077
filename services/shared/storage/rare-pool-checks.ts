import { createRequire } from "node:module";

/** The parts of the driver's own connection pool that are used here. */
interface DriverPool {
  options: { minPoolSize: number };
  poolState: string;
  minPoolSizeTimer: NodeJS.Timeout | undefined;
  /** Closes outdated connections, opens missing ones, and schedules itself again. */
  ensureMinPoolSize(): void;
}

/** How often the pool is checked, milliseconds. Outdated connections are also closed when they would be used. */
const checkedEveryMs = 10_000;

let isMended = false;

/**
 * Lets an idle process sleep. The driver checks its pool for missing connections ten times a second, even where it keeps none ready, and
 * no option changes that.
 */
export function checkPoolsRarely(): void {
  if (isMended) return;
  const driver = createRequire(require.resolve("mongoose"));
  const { ConnectionPool } = driver("mongodb/lib/cmap/connection_pool") as {
    ConnectionPool: { prototype: DriverPool };
  };
  const { ensureMinPoolSize } = ConnectionPool.prototype;
  if (typeof ensureMinPoolSize !== "function") throw new Error("the store's driver looks at its pool in another way");
  ConnectionPool.prototype.ensureMinPoolSize = function checkPool() {
    ensureMinPoolSize.call(this);
    if (this.options.minPoolSize > 0 || this.minPoolSizeTimer === undefined) return;
    clearTimeout(this.minPoolSizeTimer);
    if (this.poolState !== "ready") return;
    this.minPoolSizeTimer = setTimeout(() => this.ensureMinPoolSize(), checkedEveryMs);
  };
  isMended = true;
}
