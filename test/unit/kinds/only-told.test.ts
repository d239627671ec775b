import { describe, expect, it } from 'vitest';
import {
  ConflictError,
  CredentialsRejectedError,
  NotFoundError,
  RejectedError,
  RetryableError,
  ThrottledError,
} from '../../../src/cloud/errors.ts';
import { isDecidedBy, leaveOut } from '../../../src/kinds/common/told.ts';
import type { ManagedObject } from '../../../src/reconcile/managed-object.ts';

describe('what is only told', () => {
  const objectOf = (spec: object): ManagedObject => ({
    apiVersion: 'edgeline.dev/v1alpha1',
    kind: 'Sim',
    metadata: { name: 'truck', uid: 'uid', resourceVersion: '1' },
    spec,
  });
  it.each([
    { what: 'nothing names', spec: {}, applied: {}, pending: [], is: false },
    { what: 'the spec names', spec: { carriers: [] }, applied: {}, pending: [], is: true },
    { what: 'was written', spec: {}, applied: { carriers: [] }, pending: [], is: true },
    { what: 'may have been written', spec: {}, applied: {}, pending: ['carriers'], is: true },
    { what: 'may have been written in part', spec: {}, applied: {}, pending: ['carriers/KDDI'], is: true },
    { what: 'has a name like it', spec: { carriersOf: 1 }, applied: {}, pending: ['carriersOf'], is: false },
  ])('what $what decides: $is', ({ spec, applied, pending, is }) => {
    expect(isDecidedBy('carriers', { object: objectOf(spec), progress: { applied, pending } })).toBe(is);
  });

  const details = { route: 'GET /commonserviceitem/:id/sim/network_operator_config', write: false };
  it.each([
    new ConflictError('busy', '', details),
    new RejectedError('no', '', details),
    new NotFoundError('none', '', details),
    new RetryableError('wrong', '', { ...details, status: 500 }),
  ])('is left out where that is what can’t be read (%s)', (error) => {
    expect(leaveOut(error)).toBeUndefined();
  });
  it.each([
    new ThrottledError('later', '', details),
    new CredentialsRejectedError('who?', '', details),
    new RetryableError('no answer', '', details),
    new Error('bug'),
  ])('keeps the rest waiting where more is the matter (%s)', (error) => {
    expect(() => leaveOut(error)).toThrow(error);
  });
});
