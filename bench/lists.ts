import { once } from 'node:events';
import { createServer } from 'node:https';
import { parseArgs } from 'node:util';
import { Agent, request } from 'undici';
import { createAuthority, issueLeaf } from '../src/simulator/certificate-authority.ts';
import { startSimulator } from '../src/simulator/server.ts';
import { type Measured, start } from './processes.ts';

/**
 * How many lists of SIMs the simulator answers for each second of CPU, beside a bare HTTPS server of Node that does nothing but
 * `JSON.stringify` the same answer: `node bench/lists.ts --sims 1000 --seconds 5`. Each server is a process of its own.
 */
const { values } = parseArgs({
  options: {
    sims: { type: 'string', default: '1000' },
    seconds: { type: 'string', default: '5' },
    serve: { type: 'string' },
  },
});
const count = Number(values.sims);
const authorization = `Basic ${Buffer.from('token:secret').toString('base64')}`;
const path = (include: readonly string[], sort: readonly string[] = []) =>
  `/cloud/zone/is1a/api/cloud/1.1/commonserviceitem?${encodeURIComponent(
    JSON.stringify({ From: 0, Count: count, Filter: { 'Provider.Class': 'sim' }, Include: include, Sort: sort }),
  )}`;
const lists = {
  'with status': path(['*', 'Status.sim']),
  'without status': path(['*']),
  'sorted by the time they were made': path(['*'], ['-CreatedAt']),
  'names only': path(['Name']),
};

/** SIMs of a year, all up, a third of them with a history of sessions. */
async function serveSimulator(): Promise<void> {
  const sims = Array.from({ length: count }, (_, index) => ({
    iccid: String(8_981_000_000_000_000 + index),
    name: `truck-${index}`,
    createdAt: new Date(Date.now() - (index + 1) * 30_000_000).toISOString(),
    activated: true,
    gateway: 'depot',
    ip: `10.${index >> 16}.${(index >> 8) & 255}.${index & 255}`,
  }));
  const simulator = await startSimulator({
    listen: '127.0.0.1:0',
    control: '127.0.0.1:0',
    accessToken: 'token',
    accessTokenSecret: 'secret',
    seed: { sims, gateways: [{ name: 'depot', zone: 'is1a' }] },
  });
  console.log(JSON.stringify({ baseURL: simulator.baseURL, ca: simulator.ca }));
}

/** Answers what it is given first, every time made into JSON anew. */
async function serveBare(): Promise<void> {
  const authority = await createAuthority(Date.now());
  const leaf = await issueLeaf(authority, [], Date.now());
  let answer: unknown;
  const server = createServer(
    { key: leaf.privateKey, cert: leaf.certificate + authority.certificate },
    (asked, response) => {
      if (asked.method === 'PUT') {
        const chunks: Buffer[] = [];
        asked.on('data', (chunk: Buffer) => chunks.push(chunk));
        asked.on('end', () => {
          answer = JSON.parse(Buffer.concat(chunks).toString());
          response.end();
        });
        return;
      }
      const content = JSON.stringify(answer);
      response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(content) });
      response.end(content);
    },
  );
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('no port');
  console.log(JSON.stringify({ baseURL: `https://127.0.0.1:${address.port}`, ca: authority.certificate }));
}

interface Target {
  readonly baseURL: string;
  readonly ca: string;
}

async function measure(): Promise<void> {
  const [simulator, bare] = await Promise.all([spawned('simulator'), spawned('bare')]);
  console.log(
    `A list of ${count} SIMs, answers for each second of CPU (best of 3 runs of ${values.seconds} s, 4 connections):`,
  );
  for (const [name, target] of Object.entries(lists)) {
    const one = new Agent({ connect: { ca: simulator.target.ca } });
    const answer = await request(`${simulator.target.baseURL}${target}`, {
      dispatcher: one,
      headers: { authorization },
    });
    const text = await answer.body.text();
    await one.destroy();
    const other = new Agent({ connect: { ca: bare.target.ca } });
    await (await request(bare.target.baseURL, { dispatcher: other, method: 'PUT', body: text })).body.dump();
    await other.destroy();
    let [best, bestBare] = [0, 0];
    for (let run = 0; run < 3; run++) {
      best = Math.max(best, await rate(simulator, target));
      bestBare = Math.max(bestBare, await rate(bare, target));
    }
    const share = Math.round((best / bestBare) * 100);
    console.log(
      `${name}: simulator ${Math.round(best)}, bare Node ${Math.round(bestBare)} (${share} %), ${text.length} bytes`,
    );
  }
  await Promise.all([simulator.process.kill(), bare.process.kill()]);
}

async function spawned(serve: string) {
  const server = start(process.execPath, [import.meta.filename, '--sims', String(count), '--serve', serve]);
  const line = await server.lines.next();
  const target: Target = JSON.parse(line.value ?? '{}');
  return { process: server, target };
}

/** Answers for each CPU second of the server: what else the machine does counts little. */
async function rate(server: { target: Target; process: Measured }, target: string): Promise<number> {
  const { baseURL, ca } = server.target;
  const dispatcher = new Agent({ connect: { ca }, connections: 4 });
  const before = await server.process.cpuSeconds();
  const end = performance.now() + Number(values.seconds) * 1000;
  let answers = 0;
  const ask = async () => {
    while (performance.now() < end) {
      const { body } = await request(`${baseURL}${target}`, { dispatcher, headers: { authorization } });
      await body.dump({ limit: 1e9 });
      answers++;
    }
  };
  await Promise.all(Array.from({ length: 4 }, ask));
  await dispatcher.destroy();
  return answers / ((await server.process.cpuSeconds()) - before);
}

if (values.serve === 'simulator') await serveSimulator();
else if (values.serve === 'bare') await serveBare();
else await measure();
