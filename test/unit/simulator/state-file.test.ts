import { appendFile, mkdtemp, readdir, readFile, rename, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import type { SimulatorOptions } from '../../../src/simulator/server.ts';
import { spawnSimulator } from '../../support/simulator-process.ts';
import { fleet, gatewayID, type Service, startService, truckID } from './service.ts';

let folder: string;
let stateFile: string;
let caOut: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'simulator-'));
  stateFile = join(folder, 'state.json');
  caOut = join(folder, 'ca.pem');
});

async function once<T>(use: (service: Service) => Promise<T>, more: Partial<SimulatorOptions> = {}): Promise<T> {
  const service = await startService({ seed: fleet, stateFile, caOut, ...more });
  try {
    return await use(service);
  } finally {
    await service.close();
  }
}

const name = (service: Service, text: string) => service.control.patch({ sims: { [truckID]: { name: text } } });
const nameNow = async (service: Service) => (await service.control.state()).sims[truckID]?.['name'];

describe('the state file', () => {
  it('brings everything back: objects, time, settings, the CA', async () => {
    const before = await once(async (service) => {
      await service.call('PUT', `/commonserviceitem/${truckID}/sim/imeilock`, { sim: { imei: '356900000000017' } });
      await service.call('POST', '/applience/113300000202/mobilegateway/sims', {
        sim: { resource_id: '113300000102' },
      });
      await service.web('GET', '/site');
      await service.control.advance(3600);
      await service.control.changeSettings({ webAccelLimit: 7, pageLimit: 3 });
      return seen(service);
    });
    expect(await once(seen)).toEqual(before);
    expect(await readFile(caOut, 'utf8')).toBe(before.ca);
  });

  it('a setting that is given with the start comes before the one that was kept', async () => {
    await once((service) => service.control.changeSettings({ delay: 1, migratingTime: 9_000 }), {});
    const settings = await once((service) => service.control.settings(), { migratingMilliseconds: 5 });
    expect([settings.delay, settings.migratingTime]).toEqual([1, 5]);
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

  it('has a change before the answer to it, for its owner only', async () => {
    await once(async (service) => {
      await name(service, 'lorry');
      expect(await readFile(stateFile, 'utf8')).toContain('lorry');
      await service.call('PUT', `/commonserviceitem/${truckID}`, { CommonServiceItem: { Name: 'van' } });
      expect(await readFile(stateFile, 'utf8')).toContain('van');
      await service.control.reset();
      expect(await readFile(stateFile, 'utf8')).not.toContain('van');
      expect((await stat(stateFile)).mode & 0o777).toBe(0o600);
    });
  });

  it('is written anew when it has grown, and is one snapshot in the end', async () => {
    const text = 'x'.repeat(400_000);
    await once(async (service) => {
      for (let index = 0; index < 8; index++) {
        await service.control.patch({ sims: { [truckID]: { description: `${index}${text}` } } });
      }
      expect((await stat(stateFile)).size).toBeLessThan(2_500_000);
    });
    expect((await readFile(stateFile, 'utf8')).trimEnd().split('\n')).toHaveLength(1);
    expect(await once(async (service) => (await service.control.state()).sims[truckID]?.['description'])).toBe(
      `7${text}`,
    );
  });

  it('leaves nothing beside it, and removes what a process that died has left', async () => {
    await Promise.all(['state.json.new', 'state.json.4711.new'].map((left) => writeFile(join(folder, left), '{')));
    await writeFile(join(folder, 'state.json.mine.new'), 'kept');
    await once(async () => {
      expect((await readdir(folder)).sort()).toEqual([
        'ca.pem',
        'state.json',
        'state.json.lock',
        'state.json.mine.new',
      ]);
    });
    expect((await readdir(folder)).sort()).toEqual(['ca.pem', 'state.json', 'state.json.mine.new']);
  });

  it('keeps what belongs to an account that a run does not know', async () => {
    const other = { name: 'other', accessToken: 'other', accessTokenSecret: 'secret' };
    const seed = { ...fleet, accounts: [{ ...other, sims: [{ iccid: '77' }] }] };
    await once(async () => {}, { seed });
    await once(async () => {});
    const state = await once((service) => service.control.state(), { seed });
    expect(Object.values(state.sims).filter((sim) => sim?.['iccid'] === '77')).toHaveLength(1);
  });

  it.each([
    ['not JSON', 'it is not JSON'],
    ['{"version":99}', 'it is not a state file of this version of the simulator'],
  ])('%j is refused', async (text, message) => {
    await writeFile(stateFile, text);
    await expect(startService({ stateFile })).rejects.toThrow(`the state file ${stateFile}: ${message}`);
    expect(await readdir(folder)).toEqual(['state.json']);
  });

  it('leaves the CA file alone when it holds the CA already', async () => {
    await once(async () => {});
    const before = await stat(caOut);
    await once(async () => {});
    expect((await stat(caOut)).mtimeMs).toBe(before.mtimeMs);
  });
});

describe('a state file that was cut off', () => {
  /** The file as a process leaves it that is killed after two changes. */
  async function abandoned(): Promise<string> {
    return once(async (service) => {
      await name(service, 'first');
      await name(service, 'second');
      return readFile(stateFile, 'utf8');
    });
  }

  it.each([1, 30, 200])('within its last change, by %i characters, has all before it', async (characters) => {
    await writeFile(stateFile, (await abandoned()).slice(0, -characters));
    expect(await once(nameNow)).toBe('first');
  });

  it('has all changes when what follows them is no change', async () => {
    await writeFile(stateFile, await abandoned());
    await appendFile(stateFile, 'deadbeef {"worlds":[]}\n\0\0\0');
    expect(await once(nameNow)).toBe('second');
  });

  it('is refused when a change in its middle is damaged', async () => {
    const lines = (await abandoned()).split('\n');
    await writeFile(
      stateFile,
      lines.map((line, index) => (index === 1 ? line.replace('first', 'worst') : line)).join('\n'),
    );
    await expect(startService({ stateFile })).rejects.toThrow('line 2 is damaged');
  });
});

describe('a state file that cannot be written', () => {
  it('is told, tried again and refuses answers until it can: nothing is acknowledged that is not kept', async () => {
    const away = `${folder}.away`;
    const answers = await once(
      async (service) => {
        await rename(folder, away);
        const refused = await service.call('PUT', `/commonserviceitem/${truckID}`, {
          CommonServiceItem: { Name: 'van' },
        });
        const read = await service.call('GET', `/commonserviceitem/${truckID}`);
        await rename(away, folder);
        await expect
          .poll(async () => (await service.call('GET', `/commonserviceitem/${truckID}`)).status, { timeout: 20_000 })
          .toBe(200);
        return [refused.status, read.status, refused.body['error_msg']];
      },
      { caOut: undefined },
    );
    expect(answers).toEqual([503, 503, expect.stringMatching(/^the state file .*state\.json: it cannot be written: /)]);
    expect(await once(nameNow)).toBe('van');
  });

  it('is written anew when somebody removes it', async () => {
    await once(async (service) => {
      await rm(stateFile);
      await name(service, 'van');
      expect(await readFile(stateFile, 'utf8')).toContain('van');
    });
  });

  it('ends the command with 1 at its end, and says so', async () => {
    const simulator = await spawnSimulator([`--state=${stateFile}`]);
    await rename(folder, `${folder}.gone`);
    await simulator.stop();
    expect(simulator.ended()).toMatch(/^code 1: the state file .* it cannot be written: /);
  });
});

describe('the lock of a state file', () => {
  it('keeps a second simulator out, by whatever name it calls the file', async () => {
    const link = join(folder, 'link.json');
    await once(async () => {
      await symlink(stateFile, link);
      for (const file of [stateFile, link]) {
        await expect(startService({ stateFile: file })).rejects.toThrow(
          `the state file ${stateFile}: process ${process.pid} uses it`,
        );
      }
    });
  });

  it('keeps another process out, which says who has it', async () => {
    const simulator = await spawnSimulator([`--state=${stateFile}`]);
    await expect(spawnSimulator([`--state=${stateFile}`])).rejects.toThrow(
      `code 2: the state file ${stateFile}: process ${simulator.pid} uses it`,
    );
    await expect(startService({ stateFile })).rejects.toThrow(`process ${simulator.pid} uses it`);
    await simulator.stop('SIGKILL');
    await once(async () => {});
  });

  it.each([
    ['a process that is no more', JSON.stringify({ pid: 2 ** 22 - 3, started: '' })],
    ['another process that has its number now', JSON.stringify({ pid: process.ppid, started: 'another boot/1' })],
    ['one before this, of the same number, as in a container', JSON.stringify({ pid: process.pid, started: '' })],
  ])('is taken over from %s', async (_, content) => {
    await writeFile(`${stateFile}.lock`, content);
    await once(async (service) => name(service, 'van'));
    expect((await readdir(folder)).sort()).toEqual(['ca.pem', 'state.json']);
  });

  it("that has just been made and says nothing yet is somebody else's", async () => {
    await writeFile(`${stateFile}.lock`, '');
    await expect(startService({ stateFile })).rejects.toThrow('another process uses it');
    expect(await readdir(folder)).toEqual(['state.json.lock']);
  });

  it("that somebody took ends the writing: no answer, no line in the other's file", async () => {
    await once(async (service) => {
      const content = await readFile(stateFile, 'utf8');
      const lock = await readFile(`${stateFile}.lock`, 'utf8');
      await writeFile(`${stateFile}.lock`, JSON.stringify({ pid: process.ppid }));
      const { status } = await service.call('PUT', `/commonserviceitem/${truckID}`, {
        CommonServiceItem: { Name: 'van' },
      });
      expect([status, await readFile(stateFile, 'utf8')]).toEqual([503, content]);
      await writeFile(`${stateFile}.lock`, lock);
    });
  });
});

async function seen(service: Service) {
  return {
    ca: service.ca,
    state: await service.control.state(),
    settings: await service.control.settings(),
    clock: await service.control.clock(),
    status: (await service.call('GET', `/commonserviceitem/${truckID}/sim/status`)).body,
  };
}

async function added(service: Service): Promise<string> {
  return (await service.control.add('sims', { iccid: '7' }).catch(() => service.control.add('sims', { iccid: '8' })))
    .id;
}
