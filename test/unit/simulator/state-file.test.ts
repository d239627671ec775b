import { mkdtemp, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { fleet, gatewayID, type Service, startService, truckID } from './service.ts';

let folder: string;
let stateFile: string;
let caOut: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'simulator-'));
  stateFile = join(folder, 'state.json');
  caOut = join(folder, 'ca.pem');
});

async function once<T>(use: (service: Service) => Promise<T>): Promise<T> {
  const service = await startService({ seed: fleet, stateFile, caOut });
  try {
    return await use(service);
  } finally {
    await service.close();
  }
}

describe('the state file', () => {
  it('brings everything back: objects, time, the CA', async () => {
    const before = await once(async (service) => {
      await service.call('PUT', `/commonserviceitem/${truckID}/sim/imeilock`, { sim: { imei: '356900000000017' } });
      await service.call('POST', '/applience/113300000202/mobilegateway/sims', {
        sim: { resource_id: '113300000102' },
      });
      await service.web('GET', '/site');
      await service.control.advance(3600);
      return { ca: service.ca, state: await service.control.state(), status: await status(service) };
    });
    const after = await once(async (service) => ({
      ca: service.ca,
      state: await service.control.state(),
      status: await status(service),
    }));
    expect(after).toEqual(before);
    expect(await readFile(caOut, 'utf8')).toBe(before.ca);
  });

  it('never gives an ID again after a restart', async () => {
    const [first, second] = [await once(added), await once(added)];
    expect(first).not.toBe(second);
  });

  it('keeps what the indexes know: addresses and registrations', async () => {
    await once(async () => {});
    const answers = await once(async (service) => {
      await service.call(
        'POST',
        `/applience/${gatewayID}/mobilegateway/sims`,
        { sim: { resource_id: '113300000102' } },
        { zone: 'is1b' },
      );
      return [
        (await service.call('PUT', '/commonserviceitem/113300000102/sim/ip', { sim: { ip: '10.0.0.17' } })).status,
        (await service.call('DELETE', `/applience/${gatewayID}`, undefined, { zone: 'is1b' })).status,
      ];
    });
    expect(answers).toEqual([409, 409]);
  });

  it('is written soon after a change, for its owner only, and leaves nothing beside it', async () => {
    await once(async (service) => {
      await service.control.patch({ sims: { [truckID]: { name: 'lorry' } } });
      await expect.poll(() => readFile(stateFile, 'utf8')).toContain('lorry');
      expect((await stat(stateFile)).mode & 0o777).toBe(0o600);
    });
    expect((await readdir(folder)).sort()).toEqual(['ca.pem', 'state.json']);
  });

  it.each([
    ['not JSON', 'it is not JSON'],
    ['{"version":99}', 'it is not a state file of this version of the simulator'],
  ])('%j is refused', async (text, message) => {
    await writeFile(stateFile, text);
    await expect(startService({ stateFile })).rejects.toThrow(`the state file ${stateFile}: ${message}`);
  });

  it('leaves the CA file alone when it holds the CA already', async () => {
    await once(async () => {});
    const before = await stat(caOut);
    await once(async () => {});
    expect((await stat(caOut)).mtimeMs).toBe(before.mtimeMs);
  });
});

async function status(service: Service): Promise<unknown> {
  return (await service.call('GET', `/commonserviceitem/${truckID}/sim/status`)).body;
}

async function added(service: Service): Promise<string> {
  return (await service.control.add('sims', { iccid: '7' }).catch(() => service.control.add('sims', { iccid: '8' })))
    .id;
}
