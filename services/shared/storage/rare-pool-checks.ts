import { createRequire } from "node:module";

/** What is used here of the driver's own pool of connections. */
interface DriverPool {
  options: { minPoolSize: number };
  poolState: string;
  minPoolSizeTimer: NodeJS.Timeout | undefined;
  /** Ends connections that are outdated, opens those that are too few, and calls itself again. */
  ensureMinPoolSize(): void;
}

/** Outdated connections are also ended when they would be used. */
const checkedEveryMs = 10_000;

let isMended = false;

/**
 * Lets an idle process sleep. The driver looks at its pool ten times a second for connections that are too few, also where
 * it keeps none ready, and no option changes that.
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
