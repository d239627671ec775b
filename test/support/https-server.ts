// oxlint-disable-next-line import/no-unassigned-import -- the next import looks for the functions this one brings
import 'reflect-metadata';
import { webcrypto } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { BasicConstraintsExtension, SubjectAlternativeNameExtension, X509CertificateGenerator } from '@peculiar/x509';

/** A self-made authority and a certificate of it, all PEM. */
export interface TestCertificates {
  readonly ca: string;
  readonly certificate: string;
  readonly key: string;
}

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const;

/** An authority of its own and a certificate for the names, `localhost` by default. */
export async function makeCertificates(
  names: readonly string[] = ['localhost'],
  validity = { notBefore: new Date(Date.now() - 60_000), notAfter: new Date(Date.now() + 3_600_000) },
): Promise<TestCertificates> {
  const pair = () => webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
  const authority = await pair();
  const leaf = await pair();
  const ca = await X509CertificateGenerator.createSelfSigned(
    {
      name: 'CN=Test CA',
      keys: authority,
      signingAlgorithm: algorithm,
      notBefore: new Date(Date.now() - 60_000),
      notAfter: new Date(Date.now() + 3_600_000),
      extensions: [new BasicConstraintsExtension(true)],
    },
    webcrypto,
  );
  const certificate = await X509CertificateGenerator.create(
    {
      subject: `CN=${names[0]}`,
      issuer: ca.subject,
      publicKey: leaf.publicKey,
      signingKey: authority.privateKey,
      signingAlgorithm: algorithm,
      ...validity,
      extensions: [new SubjectAlternativeNameExtension(names.map((value) => ({ type: 'dns', value })))],
    },
    webcrypto,
  );
  const key = Buffer.from(await webcrypto.subtle.exportKey('pkcs8', leaf.privateKey)).toString('base64');
  return {
    ca: ca.toString('pem'),
    certificate: certificate.toString('pem'),
    key: `-----BEGIN PRIVATE KEY-----\n${key.replace(/(.{64})/g, '$1\n')}\n-----END PRIVATE KEY-----\n`,
  };
}

/** A request as the server saw it. */
export interface RecordedRequest {
  readonly method: string;
  /** Path and query as they came. */
  readonly target: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

/** What a test answers with: a status and a JSON value, or with `raw` full control of the response. */
export interface Answer {
  /** Default 200. */
  readonly status?: number;
  /** Default `{is_ok: true}`. */
  readonly json?: unknown;
  readonly headers?: Readonly<Record<string, string | string[]>>;
  readonly raw?: (response: ServerResponse) => void;
}

/** An answer, or a function of the request and of how many came before it. */
export type Responder = Answer | ((request: RecordedRequest, index: number) => Answer | Promise<Answer>);

export interface HTTPSServer {
  readonly baseURL: string;
  readonly port: number;
  readonly requests: RecordedRequest[];
  /** How many connections were accepted. */
  connections(): number;
  /** Replaces what the server answers. */
  answer(next: Responder): void;
  close(): Promise<void>;
}

/** An HTTPS server that records requests and answers as told; 200 `{is_ok: true}` until then. */
export async function startHTTPSServer(certificates: TestCertificates): Promise<HTTPSServer> {
  const requests: RecordedRequest[] = [];
  let respond: Responder = {};
  let connections = 0;

  const server = createServer({ cert: certificates.certificate, key: certificates.key }, (request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const recorded: RecordedRequest = {
        method: request.method ?? '',
        target: request.url ?? '',
        headers: request.headers,
        body: Buffer.concat(chunks).toString('utf8'),
      };
      requests.push(recorded);
      void answerTo(recorded, response);
    });
  });
  async function answerTo(request: RecordedRequest, response: ServerResponse): Promise<void> {
    const answer = typeof respond === 'function' ? await respond(request, requests.length - 1) : respond;
    if (answer.raw) return answer.raw(response);
    response.writeHead(answer.status ?? 200, { 'content-type': 'application/json', ...answer.headers });
    response.end(JSON.stringify(answer.json ?? { is_ok: true }));
  }

  server.on('secureConnection', () => connections++);
  await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve));
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a TCP server's address is never a pipe's name
  const { port } = server.address() as AddressInfo;

  return {
    baseURL: `https://localhost:${port}`,
    port,
    requests,
    connections: () => connections,
    answer(next) {
      respond = next;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
