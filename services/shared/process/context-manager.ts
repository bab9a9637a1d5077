import { AsyncLocalStorage } from "node:async_hooks";
import { type Context, type ContextManager, context, ROOT_CONTEXT } from "@opentelemetry/api";

/**
 * Registers what keeps OpenTelemetry's active context over `await`, unless something that was loaded before has done so: whatever
 * library asks for the active span then finds it.
 */
export function registerContextManager(): void {
  context.setGlobalContextManager(makeContextManager());
}

function makeContextManager(): ContextManager {
  const storage = new AsyncLocalStorage<Context>();
  const manager: ContextManager = {
    active: () => storage.getStore() ?? ROOT_CONTEXT,
    with: (active, work, self, ...args) => storage.run(active, () => work.apply(self, args)),
    // Listeners of an emitter run in the context of who emits.
    bind(active, target) {
      if (typeof target !== "function") return target;
      const inside = (...args: unknown[]): unknown =>
        storage.run(active, () => Reflect.apply(target, undefined, args) as unknown);
      return Object.assign(inside, target);
    },
    enable: () => manager,
    disable() {
      storage.disable();
      return manager;
    },
  };
  return manager;
}
