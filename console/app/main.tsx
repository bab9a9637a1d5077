import { QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { createRoot } from "react-dom/client";
import { text } from "../text/text";
import { ProblemNote } from "../ui/problem-note";
import { ToastProvider } from "../ui/toast";
import { makeQueries } from "./data";
import { LogIn } from "./log-in";
import { makeAppRouter } from "./routes";
import { firstMe, SessionProvider, useSession } from "./session";
import { SettingsProvider } from "./settings";
import "../styles/base.css";
import "../styles/shell.css";
import "../styles/widgets.css";
import "../styles/pages.css";

const router = makeAppRouter();

/** The pages for who is logged in, else the way in. */
function App() {
  const { me } = useSession();
  return me === undefined ? <LogIn /> : <RouterProvider router={router} context={{ me }} />;
}

/** Digits of amounts have to survive on their way through the browser. */
const canCount = "rawJSON" in JSON;

async function start(): Promise<void> {
  const place = document.getElementById("root");
  if (place === null) throw new Error("the page has no root");
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
    root.render(
      <main>
        <ProblemNote error={error} retry={() => location.reload()} />
      </main>,
    );
  }
}

void start();
