// A receiver of forms on the loopback: takes JSON, `multipart/form-data` and `application/x-www-form-urlencoded`, parsed by
// Node's own parser, and fails in the ways that a test asks for.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** What the receiver does with the next request: takes it, answers with a status, cuts the connection or never answers. */
export type Behaviour = "take" | number | "reset" | "reset in the middle" | "hang";

export interface Delivery {
  path: string;
  type: string;
  accept: string;
  fields: Record<string, string>;
  files: Record<string, { name: string; type: string; bytes: Buffer }>;
}

export interface Receiver {
  origin: string;
  deliveries: Delivery[];
  /** How often a form was sent, taken or not. */
  attempts: number;
  next: Behaviour[];
  /** Where browsers go that send a form without a script. */
  success: string;
  close(): Promise<void>;
}

export async function receive(): Promise<Receiver> {
  const server = createServer(async (request, response) => {
    const cors = { "access-control-allow-origin": request.headers.origin ?? "*", "access-control-allow-headers": "content-type" };
    if (request.method === "OPTIONS") return void response.writeHead(204, cors).end();
    receiver.attempts++;
    const behaviour = receiver.next.shift() ?? "take";
    if (behaviour === "reset in the middle") return void request.once("data", () => request.socket.resetAndDestroy());
    const chunks: Buffer[] = [];
    try {
      for await (const chunk of request) chunks.push(chunk as Buffer);
    } catch {
      return;
    }
    if (behaviour === "reset") return void request.socket.resetAndDestroy();
    if (behaviour === "hang") return;
    if (typeof behaviour === "number") return void response.writeHead(behaviour, cors).end();
    const type = request.headers["content-type"] ?? "";
    const delivery: Delivery = { path: request.url!, type, accept: request.headers.accept ?? "", fields: {}, files: {} };
    const body = Buffer.concat(chunks);
    if (type.startsWith("application/json")) delivery.fields = JSON.parse(body.toString());
    else {
      const form = await new Request("http://receiver", { method: "POST", headers: { "content-type": type }, body }).formData();
      for (const [name, value] of form)
        if (typeof value === "string") delivery.fields[name] = value;
        else if (value.name || value.size)
          delivery.files[name] = { name: value.name, type: value.type, bytes: Buffer.from(await value.arrayBuffer()) };
    }
    receiver.deliveries.push(delivery);
    if (delivery.accept.includes("application/json"))
      response.writeHead(200, { ...cors, "content-type": "application/json" }).end("{}");
    else response.writeHead(303, { location: receiver.success }).end();
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const receiver: Receiver = {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    deliveries: [],
    attempts: 0,
    next: [],
    success: "",
    close: () =>
      new Promise((done) => {
        server.closeAllConnections();
        server.close(() => done());
      }),
  };
  return receiver;
}
