/**
 * Folder of the built pages, which a service serves under `/console/`: `index.html` for every page,
 * and its scripts and styles in `assets`.
 */
export const CONSOLE_DIRECTORY: URL = new URL("../dist/app/", import.meta.url);
