import { fileURLToPath } from "node:url";

/** @type {import("next").NextConfig} */
// oxlint-disable-next-line import/no-default-export -- Next.js asks for it.
export default {
  // The packages are links to other folders of this repository; your application does not need `root`.
  turbopack: { root: fileURLToPath(new URL("../..", import.meta.url)) },
};
