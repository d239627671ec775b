import { expect, test } from 'vitest';
import { CredentialsRejectedError } from '../../../../src/cloud/errors.ts';
import { CircuitOpenError, createCircuit } from '../../../../src/cloud/http/circuit.ts';
import { ManualClock } from '../../../support/manual-clock.ts';

const refused = new CredentialsRejectedError('GET /site: 401', 'Check the Secret.', {
  route: 'GET /site',
  status: 401,
});

test('closed, it lets everything through', () => {
  expect(createCircuit({ clock: new ManualClock() }).check('cloud', 'GET /site')).toBe(false);
});

test('open, it fails every call but one probe a window', async () => {
  const clock = new ManualClock();
  const circuit = createCircuit({ clock });
  circuit.open(refused);
  const attempt = () => {
    try {
      return circuit.check('cloud', 'GET /x') ? 'probe' : 'closed';
    } catch (error) {
      return error instanceof CircuitOpenError ? error.retryAfterSeconds : error;
    }
  };
  expect([attempt(), attempt()]).toEqual([300, 300]);
  await clock.advance(299_000);
  expect(attempt()).toBe(1);
  await clock.advance(1000);
  expect([attempt(), attempt()]).toEqual(['probe', 300]);
  circuit.open(refused);
  await clock.advance(300_000);
  expect([attempt(), attempt()]).toEqual(['probe', 300]);
  circuit.accepted('cloud');
  expect([attempt(), circuit.isOpen()]).toEqual(['closed', false]);
});

test('its error says why, and that nothing was sent', () => {
  const circuit = createCircuit({ clock: new ManualClock(), windowSeconds: 10 });
  circuit.open(refused);
  expect(() => circuit.check('cloud', 'PUT /x')).toThrow(
    expect.objectContaining({
      code: 'CircuitOpen',
      class: 'CredentialsRejected',
      message: "no request was sent, for the service refused the account's access token: GET /site: 401",
      advice: 'Check the Secret.',
      route: 'PUT /x',
      status: 401,
      retryAfterSeconds: 10,
    }),
  );
});

test('a refusal of one API leaves the other open', () => {
  const circuit = createCircuit({ clock: new ManualClock() });
  circuit.open(refused, 'webaccel');
  expect(circuit.check('cloud', 'GET /x')).toBe(false);
  expect(() => circuit.check('webaccel', 'GET /x')).toThrow(CircuitOpenError);
  expect([circuit.isOpen(), circuit.isOpen('webaccel')]).toEqual([false, true]);
});

test('a new Secret closes it at once', () => {
  const circuit = createCircuit({ clock: new ManualClock() });
  circuit.open(refused);
  circuit.open(refused, 'webaccel');
  circuit.reset();
  expect([circuit.check('cloud', ''), circuit.check('webaccel', '')]).toEqual([false, false]);
});
