// A process of its own that reads its blocks from the service.
import * as core from "@riskgate/core";
import { createServiceBlockStore } from "@riskgate/core/blocks";
import { serveBlocks } from "../../../../tools/test/serve-blocks.mjs";

const { url, key } = JSON.parse(process.argv[2] ?? "");
await serveBlocks(core, createServiceBlockStore({ baseUrl: url, blocksKey: key }));
