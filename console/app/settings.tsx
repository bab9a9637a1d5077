import { createContext, type ReactNode, useContext, useEffect, useMemo, useState } from "react";

const times = ["relative", "local", "utc"] as const;
export type TimeMode = (typeof times)[number];
const themes = ["auto", "light", "dark"] as const;
export type Theme = (typeof themes)[number];

/** A person's settings. They are not personal data, so they may stay in the browser. */
interface Settings {
  readonly time: TimeMode;
  readonly theme: Theme;
  readonly hasKeys: boolean;
  readonly nextTime: () => void;
  readonly nextTheme: () => void;
  readonly setKeys: (on: boolean) => void;
}

const Context = createContext<Settings | undefined>(undefined);

function read<Value extends string>(name: string, known: readonly Value[], fallback: Value): Value {
  const stored = localStorage.getItem(`corridor.${name}`);
  return known.find((one) => one === stored) ?? fallback;
}

const after = <Value,>(known: readonly Value[], value: Value): Value =>
  known[(known.indexOf(value) + 1) % known.length] ?? value;

/** Stores the settings, and applies the theme to the document. */
export function SettingsProvider({ children }: { readonly children: ReactNode }) {
  const [time, setTime] = useState(() => read("time", times, "relative"));
  const [theme, setTheme] = useState(() => read("theme", themes, "auto"));
  const [keys, setKeys] = useState(() => read("keys", ["on", "off"], "on"));
  useEffect(() => {
    localStorage.setItem("corridor.time", time);
    localStorage.setItem("corridor.theme", theme);
    localStorage.setItem("corridor.keys", keys);
    if (theme === "auto") delete document.documentElement.dataset["theme"];
    else document.documentElement.dataset["theme"] = theme;
  }, [time, theme, keys]);
  const value = useMemo(
    () => ({
      time,
      theme,
      hasKeys: keys === "on",
      nextTime: () => setTime((now) => after(times, now)),
      nextTheme: () => setTheme((now) => after(themes, now)),
      setKeys: (on: boolean) => setKeys(on ? "on" : "off"),
    }),
    [time, theme, keys],
  );
  return <Context value={value}>{children}</Context>;
}

export function useSettings(): Settings {
  const settings = useContext(Context);
  if (settings === undefined) throw new Error("no settings around");
  return settings;
}
