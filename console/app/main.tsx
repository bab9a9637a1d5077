import { QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { lazy, Suspense } from "react";
import { createRoot } from "react-dom/client";
import { language, text } from "../text/text";
import { ToastProvider } from "../ui/toast";
import { makeQueries } from "./data";
import { makeAppRouter } from "./routes";
import { firstMe, SessionProvider, useSession } from "./session";
import { SettingsProvider } from "./settings";
import "../styles/base.css";
import "../styles/shell.css";
import "../styles/widgets.css";
import "../styles/pages.css";

const router = makeAppRouter();
const LogIn = lazy(async () => ({ default: (await import("./log-in")).LogIn }));

/** The pages for a logged-in person, otherwise the login. */
function App() {
  const { me } = useSession();
  if (me !== undefined) return <RouterProvider router={router} context={{ me }} />;
  return (
    <Suspense>
      <LogIn />
    </Suspense>
  );
}

/** Digits of amounts have to survive their way through the browser. */
const canCount = "rawJSON" in JSON;

async function start(): Promise<void> {
  const place = document.getElementById("root");
  if (place === null) throw new Error("the page has no root");
  document.documentElement.lang = language;
  const root = createRoot(place);
  if (!canCount) return root.render(<p className="empty">{text.shell.oldBrowser}</p>);
  try {
    const first = await firstMe();
    root.render(
      <QueryClientProvider client={makeQueries()}>
        <SettingsProvider>
          <ToastProvider>
            <SessionProvider first={first}>
              <App />
            </SessionProvider>
          </ToastProvider>
        </SettingsProvider>
      </QueryClientProvider>,
    );
  } catch (error) {
    const note = await import("../ui/problem-note").catch(() => undefined);
    const reload = (): void => location.reload();
    root.render(
      <main>
        {note === undefined ? (
          <button type="button" className="button" onClick={reload}>
            {text.codes["NETWORK"]}: {text.problem.retry}
          </button>
        ) : (
          <note.ProblemNote error={error} retry={reload} />
        )}
      </main>,
    );
  }
}

void start();
