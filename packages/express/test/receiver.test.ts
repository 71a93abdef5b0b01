import { receiverContract, serveHttp } from "@riskgate/testing";
import express from "express";
import { describeReceiver, PATH } from "../../../tools/test/receiver-conformance.js";
import { webhookRoute } from "../src/webhook-route.js";

describeReceiver("webhookRoute of Express", receiverContract, async (options) =>
  serveHttp(express().all(PATH, webhookRoute(options))),
);
