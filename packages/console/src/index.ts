/**
 * Folder with the built pages, which a service serves under `/console/`: `index.html` for every page,
 * and below `assets` what it loads.
 */
export const CONSOLE_DIRECTORY: URL = new URL("../dist/app/", import.meta.url);
