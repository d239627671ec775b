import { beforeEach, describe, expect, it } from 'vitest';
import { fleet, gatewayID, refusal, truckICCID, truckID, useService } from './service.ts';

const service = useService({ seed: { ...fleet, passCodes: { '8981000000000000009': 'right' } } });
const spareID = '113300000102';
const newICCID = '8981000000000000003';
const truck = `/commonserviceitem/${truckID}`;
const spare = `/commonserviceitem/${spareID}`;
const depotSims = `/applience/${gatewayID}/mobilegateway/sims`;
const depot = { zone: 'is1b' };

function newSim(change: Record<string, unknown> = {}) {
  return {
    CommonServiceItem: {
      Name: 'truck-3',
      Status: { ICCID: newICCID },
      Remark: { PassCode: 'any' },
      Provider: { Class: 'sim' },
      ...change,
    },
  };
}

async function create(body: unknown = newSim()): Promise<string> {
  const { body: answer } = await service.call('POST', '/commonserviceitem', body);
  return (
    Object.values(answer).flatMap((item) =>
      item && typeof item === 'object' && 'ID' in item ? String(item.ID) : [],
    )[0] ?? ''
  );
}

async function status(path: string, extended = false): Promise<unknown> {
  return (await service.call('GET', `${path}/sim/status`, undefined, { extended })).body['sim'];
}

describe('POST /commonserviceitem', () => {
  it('makes a SIM that is neither activated nor registered', async () => {
    const answer = await service.call('POST', '/commonserviceitem', newSim());
    const ID = (await service.control.state()).sims;
    const [id = ''] = Object.keys(ID).filter((one) => ID[one]?.['iccid'] === newICCID);
    expect([answer.status, answer.body]).toEqual([
      201,
      {
        is_ok: true,
        Success: true,
        CommonServiceItem: {
          ID: id,
          Name: 'truck-3',
          Description: '',
          Settings: null,
          SettingsHash: null,
          Status: { ICCID: newICCID },
          ServiceClass: 'cloud/sim/1',
          Availability: 'available',
          CreatedAt: '2026-01-01T09:00:00+09:00',
          ModifiedAt: '2026-01-01T09:00:00+09:00',
          Provider: { ID: 8000001, Class: 'sim', Name: 'sim-1', ServiceClass: 'cloud/sim/1' },
          Icon: null,
          Tags: [],
        },
      },
    ]);
    expect(await status(`/commonserviceitem/${id}`)).toEqual({
      iccid: newICCID,
      imsi: [expect.stringMatching(/^44010\d{10}$/)],
      session_status: 'DOWN',
      imei_lock: false,
      registered: false,
      activated: false,
      resource_id: id,
      traffic_bytes_of_current_month: { uplink_bytes: 0, downlink_bytes: 0 },
      connected_imei: '',
    });
  });

  it.each<[string, unknown, string]>([
    ['no body', undefined, '400 bad_request: CommonServiceItem: write an object'],
    ['no Name', newSim({ Name: undefined }), '400 bad_request: CommonServiceItem.Name: write a name'],
    ['an empty Name', newSim({ Name: '' }), '400 bad_request: CommonServiceItem.Name: write a name'],
    [
      'no Status',
      newSim({ Status: undefined }),
      '400 bad_request: CommonServiceItem.Status: write an object with ICCID',
    ],
    [
      'a number as ICCID',
      newSim({ Status: { ICCID: 8981 } }),
      '400 bad_request: CommonServiceItem.Status.ICCID: write the ICCID as a string of digits',
    ],
    [
      'letters in the ICCID',
      newSim({ Status: { ICCID: '8981x' } }),
      '400 bad_request: CommonServiceItem.Status.ICCID: write digits only',
    ],
    ['no PassCode', newSim({ Remark: {} }), '400 bad_request: CommonServiceItem.Remark.PassCode: write the pass code'],
    [
      'another class',
      newSim({ Provider: { Class: 'dns' } }),
      '400 bad_request: CommonServiceItem.Provider.Class: write sim',
    ],
    [
      'Tags that are no list',
      newSim({ Tags: 'a' }),
      '400 bad_request: CommonServiceItem.Tags: write a list of strings',
    ],
    [
      'a wrong pass code',
      newSim({ Status: { ICCID: '8981000000000000009' }, Remark: { PassCode: 'wrong' } }),
      '400 bad_request: CommonServiceItem.Remark.PassCode: it is not the pass code of SIM 8981000000000000009',
    ],
    [
      'an ICCID that is registered',
      newSim({ Status: { ICCID: truckICCID } }),
      `409 conflict: CommonServiceItem.Status.ICCID: a SIM with ICCID ${truckICCID} exists`,
    ],
  ])('refuses %s', async (_, body, expected) => {
    const answer = await service.call('POST', '/commonserviceitem', body);
    expect(refusal(answer)).toBe(expected);
  });

  it('takes the right pass code, and members that mean nothing', async () => {
    const body = newSim({
      Status: { ICCID: '8981000000000000009' },
      Remark: { PassCode: 'right', Plan: { ID: 0 } },
      Icon: { ID: 0 },
      CreatedAt: '0001-01-01T00:00:00Z',
      Description: '',
    });
    expect((await service.call('POST', '/commonserviceitem', body)).status).toBe(201);
  });

  it('takes an ICCID twice when the setting allows it', async () => {
    await service.control.changeSettings({ allowDuplicateICCID: true });
    const body = newSim({ Status: { ICCID: truckICCID } });
    expect((await service.call('POST', '/commonserviceitem', body)).status).toBe(201);
  });

  it('answers early operations with still_creating, for as long as the setting says', async () => {
    await service.control.changeSettings({ stillCreatingMs: 5000 });
    const id = await create();
    const path = `/commonserviceitem/${id}/sim/activate`;
    expect(refusal(await service.call('PUT', path))).toBe(`409 still_creating: SIM ${id} is still being created`);
    await service.control.advance(5);
    expect((await service.call('PUT', path)).status).toBe(200);
  });

  it('answers so many requests on a new ID with 404, yet lists it', async () => {
    await service.control.changeSettings({ notFoundAfterCreate: 2 });
    const id = await create();
    const statuses = [];
    for (let time = 0; time < 3; time++) statuses.push((await service.call('GET', `/commonserviceitem/${id}`)).status);
    expect(statuses).toEqual([404, 404, 200]);
    expect((await service.call('GET', '/commonserviceitem')).body['Total']).toBe(3);
  });
});

describe('a service that shows late what was made', () => {
  const list = '/commonserviceitem';

  it('has a new SIM in no list and answers 404 for its ID until the time of the setting has passed, yet has it', async () => {
    await service.control.changeSettings({ shownAfterCreate: 10_000 });
    const id = await create();
    const seen = async () => [
      (await service.call('GET', list)).body['Total'],
      (await service.call('GET', `${list}/${id}`)).status,
      (await service.call('DELETE', `${list}/${id}`)).status,
    ];
    expect(await seen()).toEqual([2, 404, 404]);
    expect(Object.keys((await service.control.state()).sims)).toContain(id);
    await service.control.advance(10);
    expect(await seen()).toEqual([3, 200, 200]);
  });
});

describe('GET /commonserviceitem', () => {
  const include = (...paths: string[]) => encodeURIComponent(JSON.stringify({ Include: paths, Count: 1 }));

  it('shows Status.sim only when it is included', async () => {
    const plain = await service.call('GET', `/commonserviceitem?${include('*')}`);
    const detailed = await service.call('GET', `/commonserviceitem?${include('*', 'Status.sim')}`);
    expect(plain.body['CommonServiceItems']).toEqual([expect.objectContaining({ Status: { ICCID: truckICCID } })]);
    expect(detailed.body['CommonServiceItems']).toEqual([
      expect.objectContaining({
        Index: 0,
        ID: truckID,
        Status: {
          ICCID: truckICCID,
          sim: {
            iccid: truckICCID,
            imsi: [expect.any(String)],
            ip: '10.0.0.17',
            session_status: 'UP',
            imei_lock: false,
            registered: true,
            activated: true,
            resource_id: truckID,
            registered_date: '2026-01-01T00:00:00+00:00',
            activated_date: '2026-01-01T00:00:00+00:00',
            simgroup_id: gatewayID,
            traffic_bytes_of_current_month: [],
            connected_imei: '356900000000017',
          },
        },
      }),
    ]);
  });

  it('projects to what is included', async () => {
    const { body } = await service.call('GET', `/commonserviceitem?${include('Name')}`);
    expect(body['CommonServiceItems']).toEqual([{ Index: 0, ID: truckID, Name: 'truck-1' }]);
  });

  it.each([
    [{ 'Provider.Class': 'sim' }, 2],
    [{ 'Provider.Class': 'dns' }, 0],
    [{ 'Status.ICCID': [truckICCID] }, 1],
    [{ Name: 'truck' }, 2],
    [{ Tags: ['spare'] }, 1],
    [{ 'Status.sim.session_status': ['UP'] }, 1],
  ])('filters by %j', async (Filter, total) => {
    const { body } = await service.call('GET', `/commonserviceitem?${encodeURIComponent(JSON.stringify({ Filter }))}`);
    expect(body['Total']).toBe(total);
  });
});

describe('dialects', () => {
  it('writes IDs as numbers and shows the IP in the status only in the Extended dialect', async () => {
    const shown = [];
    for (const extended of [false, true]) {
      const { body } = await service.call('GET', truck, undefined, { extended });
      const sim = await status(truck, extended);
      shown.push([body['CommonServiceItem'], sim && typeof sim === 'object' && 'ip' in sim ? sim.ip : undefined]);
    }
    expect(shown).toEqual([
      [expect.objectContaining({ ID: truckID }), undefined],
      [expect.objectContaining({ ID: Number(truckID) }), '10.0.0.17'],
    ]);
  });

  it('changes name, description and tags by PUT', async () => {
    const change = { CommonServiceItem: { Name: 'lorry', Description: 'd', Tags: ['t'] } };
    const { body } = await service.call('PUT', truck, change, { extended: true });
    expect(body['CommonServiceItem']).toEqual(
      expect.objectContaining({ Name: 'lorry', Description: 'd', Tags: ['t'], Status: { ICCID: truckICCID } }),
    );
  });

  it.each(['metrics', 'metrics/monitor'])('gives metrics at %s, both ends of the span included', async (word) => {
    const span = { Start: '2026-01-01T08:55:00.000+09:00', End: '2026-01-01T09:00:00.000+09:00' };
    const { body } = await service.call('GET', `${truck}/sim/${word}?${encodeURIComponent(JSON.stringify(span))}`);
    expect(body['Data']).toEqual({
      '2026-01-01T08:55:00+09:00': { UplinkBps: 0, DownlinkBps: 0 },
      '2026-01-01T09:00:00+09:00': { UplinkBps: 0, DownlinkBps: 0 },
    });
  });
});

describe('the life of a SIM', () => {
  it('goes from nothing to a session and back', async () => {
    const id = await create();
    const path = `/commonserviceitem/${id}`;
    const steps: [string, string, unknown?][] = [
      ['PUT', `${path}/sim/activate`],
      ['POST', depotSims, { sim: { resource_id: id } }],
      ['PUT', `${path}/sim/ip`, { sim: { ip: '10.0.0.18' } }],
      ['PUT', `${path}/sim/reconnect`],
      ['DELETE', `${path}/sim/ip`],
      ['DELETE', `${depotSims}/${id}`],
      ['PUT', `${path}/sim/deactivate`],
      ['DELETE', path],
    ];
    const seen = [];
    for (const [method, path, body] of steps) {
      const zone = path.startsWith('/applience') ? depot : {};
      const answer = await service.call(method, path, body, zone);
      const sim = (await service.control.state()).sims[id];
      seen.push([answer.body, sim?.['sessionUp'] ?? 'gone']);
    }
    expect(seen).toEqual([false, false, true, true, false, false, false, 'gone'].map((up) => [{ is_ok: true }, up]));
    expect((await service.call('GET', path)).status).toBe(404);
  });

  it('keeps deactivated_date, and its first activation while activated', async () => {
    await service.control.advance(60);
    await service.call('PUT', `${truck}/sim/activate`);
    await service.call('PUT', `${truck}/sim/deactivate`);
    expect(await status(truck)).toEqual(
      expect.objectContaining({
        activated: false,
        activated_date: '2026-01-01T00:00:00+00:00',
        deactivated_date: '2026-01-01T00:01:00+00:00',
        session_status: 'DOWN',
      }),
    );
  });
});

describe('what a SIM refuses', () => {
  it.each<[string, string, string, unknown, string]>([
    [
      'an IP without a gateway',
      'PUT',
      `${spare}/sim/ip`,
      { sim: { ip: '10.0.0.9' } },
      `409 conflict: SIM ${spareID} is not registered to a mobile gateway: register it first`,
    ],
    [
      'to clear an IP without a gateway',
      'DELETE',
      `${spare}/sim/ip`,
      undefined,
      `409 conflict: SIM ${spareID} is not registered to a mobile gateway`,
    ],
    [
      'the IP of the gateway',
      'PUT',
      `${truck}/sim/ip`,
      { sim: { ip: '10.0.0.1' } },
      '400 bad_request: sim.ip: the gateway itself has this address',
    ],
    [
      'an IP that is none',
      'PUT',
      `${truck}/sim/ip`,
      { sim: { ip: '10.0.0' } },
      '400 bad_request: sim.ip: write an IPv4 address such as 192.0.2.10',
    ],
    [
      'an IP of the wrong type',
      'PUT',
      `${truck}/sim/ip`,
      { sim: { ip: 10 } },
      '400 bad_request: sim.ip: write an IPv4 address',
    ],
    [
      'an IMEI as a number',
      'PUT',
      `${truck}/sim/imeilock`,
      { sim: { imei: 3569 } },
      '400 bad_request: sim.imei: write the IMEI as a string of digits',
    ],
    [
      'to unlock when not locked',
      'DELETE',
      `${truck}/sim/imeilock`,
      undefined,
      `400 bad_request: SIM ${truckID} is not locked to an IMEI`,
    ],
    [
      'to go while registered',
      'DELETE',
      truck,
      undefined,
      `409 conflict: SIM ${truckID} is registered to gateway ${gatewayID}: remove it there first`,
    ],
    [
      'an unknown carrier',
      'PUT',
      `${truck}/sim/network_operator_config`,
      { network_operator_config: [{ name: 'Acme', allow: true }] },
      '400 bad_request: network_operator_config[0].name: write KDDI, SoftBank or NTT DOCOMO',
    ],
    [
      'no carrier at all',
      'PUT',
      `${truck}/sim/network_operator_config`,
      { network_operator_config: [{ name: 'KDDI', allow: false }] },
      '400 bad_request: network_operator_config: allow at least one carrier',
    ],
    [
      'allow as a string',
      'PUT',
      `${truck}/sim/network_operator_config`,
      { network_operator_config: [{ name: 'KDDI', allow: 'true' }] },
      '400 bad_request: network_operator_config[0].allow: write true or false',
    ],
    [
      'a Count that is no number',
      'GET',
      `${truck}/sim/sessionlog?{"Count":"5"}`,
      undefined,
      '400 bad_request: Count: write a whole number',
    ],
    [
      'a span that ends before it starts',
      'GET',
      `${truck}/sim/metrics?{"Start":"2026-01-02T00:00:00Z","End":"2026-01-01T00:00:00Z"}`,
      undefined,
      '400 bad_request: Start: write a datetime before End',
    ],
  ])('%s', async (_, method, path, body, expected) => {
    expect(refusal(await service.call(method, encodeURI(path), body))).toBe(expected);
  });

  it('to go while activated', async () => {
    await service.control.patch({ sims: { [spareID]: { activated: true } } });
    const answer = await service.call('DELETE', spare);
    expect(refusal(answer)).toBe(`409 conflict: SIM ${spareID} is activated: deactivate it first`);
  });

  it('an IP another SIM of the gateway has, but not its own once more', async () => {
    await service.call('POST', depotSims, { sim: { resource_id: spareID } }, depot);
    const answer = await service.call('PUT', `${spare}/sim/ip`, { sim: { ip: '10.0.0.17' } });
    expect(refusal(answer)).toBe(`409 conflict: sim.ip: SIM ${truckID} has the address 10.0.0.17`);
    expect((await service.call('PUT', `${truck}/sim/ip`, { sim: { ip: '10.0.0.17' } })).status).toBe(200);
  });

  it('an IP outside the private network only when the setting says so', async () => {
    const outside = { sim: { ip: '10.9.9.9' } };
    expect((await service.call('PUT', `${truck}/sim/ip`, outside)).status).toBe(200);
    await service.control.changeSettings({ ipMustBeInSubnet: true });
    expect(refusal(await service.call('PUT', `${truck}/sim/ip`, outside))).toContain(
      'sim.ip: write an address within 10.0.0.1/24',
    );
  });
});

describe('carriers', () => {
  it('are KDDI and SoftBank at first, and what was written after', async () => {
    const path = `${truck}/sim/network_operator_config`;
    const before = (await service.call('GET', path)).body['network_operator_config'];
    await service.call('PUT', path, {
      network_operator_config: [
        { name: 'NTT DOCOMO', allow: true },
        { name: 'KDDI', allow: false },
      ],
    });
    const after = (await service.call('GET', path)).body['network_operator_config'];
    const carrier = (name: string, allow: boolean) => ({ name, country_code: 'jp', allow });
    expect([before, after]).toEqual([
      [carrier('KDDI', true), carrier('SoftBank', true)],
      [carrier('KDDI', false), carrier('SoftBank', false), carrier('NTT DOCOMO', true)],
    ]);
  });
});

describe('the IMEI lock', () => {
  const lock = (imei: string) => service.call('PUT', `${truck}/sim/imeilock`, { sim: { imei } });
  let own: string;
  beforeEach(async () => {
    own = String((await service.control.state()).sims[truckID]?.['connectedIMEI']);
  });

  it('ends the session of another device and leaves that of its own', async () => {
    const seen = [];
    for (const imei of [own, '356900000000000', own]) {
      await lock(imei);
      seen.push(await status(truck));
    }
    expect(seen).toEqual([
      expect.objectContaining({ imei_lock: true, imei: own, session_status: 'UP', connected_imei: own }),
      expect.objectContaining({ imei_lock: true, imei: '356900000000000', session_status: 'DOWN', connected_imei: '' }),
      expect.objectContaining({ imei_lock: true, imei: own, session_status: 'UP', connected_imei: own }),
    ]);
  });

  it('can be taken off', async () => {
    await lock(own);
    expect((await service.call('DELETE', `${truck}/sim/imeilock`)).body).toEqual({ is_ok: true });
    expect(await status(truck)).toEqual(expect.objectContaining({ imei_lock: false }));
  });
});
