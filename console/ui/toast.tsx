import { createContext, type ReactNode, useCallback, useContext, useState } from "react";
import { Icon } from "./icon";

const Context = createContext<(words: string) => void>(() => undefined);
const shownMs = 4_000;

/** Short news that needs no answer, announced politely to screen readers. */
export function ToastProvider({ children }: { readonly children: ReactNode }) {
  const [news, setNews] = useState<readonly { readonly key: number; readonly words: string }[]>([]);
  const tell = useCallback((words: string) => {
    const key = Date.now() + Math.random();
    setNews((now) => [...now.slice(-2), { key, words }]);
    window.setTimeout(() => setNews((now) => now.filter((one) => one.key !== key)), shownMs);
  }, []);
  return (
    <Context value={tell}>
      {children}
      <div className="toasts" role="status" aria-live="polite">
        {news.map(({ key, words }) => (
          <div className="toast" key={key}>
            <Icon name="check" />
            {words}
          </div>
        ))}
      </div>
    </Context>
  );
}

export const useToast = (): ((words: string) => void) => useContext(Context);
