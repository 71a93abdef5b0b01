#!/usr/bin/env node
// In the repository, unlike what it runs: pnpm links the command before the first build.
// oxlint-disable-next-line import/no-unassigned-import -- To load it is to run it.
import "../dist/main.js";
