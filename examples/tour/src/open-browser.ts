import { spawn } from "node:child_process";

/** Commands that open a page in the user's browser, by platform. */
const OPENERS: Partial<Readonly<Record<NodeJS.Platform, readonly string[]>>> = {
  darwin: ["open"],
  // `start` uses its first quoted argument as a title.
  win32: ["cmd", "/c", "start", ""],
};

/** Opens a page in the user's browser. If that fails, the URL is on the screen anyway. */
export function openBrowser(url: string): void {
  const [command = "", ...given] = OPENERS[process.platform] ?? ["xdg-open"];
  const opener = spawn(command, [...given, url], { stdio: "ignore", detached: true });
  opener.on("error", () => console.log("No browser was found: open the console yourself."));
  opener.unref();
}
