import type { Server } from 'node:net';
import { EdgelineError, messageOf } from '../errors.ts';

/** An option of the simulator that cannot be used; the message names its flag. */
export class SimulatorOptionError extends EdgelineError {
  readonly code = 'SimulatorOptionInvalid';

  constructor(flag: string, what: string, options?: ErrorOptions) {
    super(`${flag}: ${what}`, 'Run `edgeline simulator --help` for what each flag takes.', options);
  }
}

export interface HostAndPort {
  /** Without brackets. */
  readonly host: string;
  readonly port: number;
}

/** Reads HOST:PORT, an IPv6 host in brackets; throws `SimulatorOptionError` naming the flag. */
export function parseHostAndPort(text: string, flag: string): HostAndPort {
  const [, bracketed, plain, port = ''] = /^(?:\[([0-9a-f:.]+)\]|([^:[\]]+)):(\d{1,5})$/i.exec(text) ?? [];
  const host = bracketed ?? plain;
  if (host === undefined || Number(port) > 65_535) {
    throw new SimulatorOptionError(flag, `write HOST:PORT, such as 127.0.0.1:8443, not ${text}`);
  }
  return { host, port: Number(port) };
}

export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127(?:\.\d{1,3}){3}$/.test(host);
}

/** Starts listening and gives the port; what fails names the flag. */
export async function listen(server: Server, { host, port }: HostAndPort, flag: string): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) =>
      reject(new SimulatorOptionError(flag, `cannot listen on ${host}:${port}: ${messageOf(error)}`, { cause: error })),
    );
    server.listen(port, host, resolve);
  });
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : port;
}

/** The host as it stands in a URL; the unspecified addresses become one that can be reached. */
export function urlHost(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1';
  if (host === '::') return '[::1]';
  return host.includes(':') ? `[${host}]` : host;
}
