import { spawn } from "node:child_process";

/** What shows a page in the browser of a user, by platform. */
const OPENERS: Partial<Readonly<Record<NodeJS.Platform, readonly string[]>>> = {
  darwin: ["open"],
  // `start` takes its first argument for a title.
  win32: ["cmd", "/c", "start", ""],
};

/** Shows a page in the user's browser; where there is none, the URL was printed. */
export function openBrowser(url: string): void {
  const [command = "", ...given] = OPENERS[process.platform] ?? ["xdg-open"];
  const opener = spawn(command, [...given, url], { stdio: "ignore", detached: true });
  opener.on("error", () => console.log("No browser was found: open the console yourself."));
  opener.unref();
}
