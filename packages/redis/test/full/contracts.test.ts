import { CLIENTS } from "../support/clients.js";
import { contractCases } from "../support/contract-cases.js";

contractCases(CLIENTS.filter(([name]) => name === "ioredis 5"));
