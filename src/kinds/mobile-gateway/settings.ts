import type { Gateway } from '../../cloud/gateway/types.ts';
import type { FieldChange } from '../../reconcile/change.ts';
import type { Drift } from '../../reconcile/managed-object.ts';
import { wasApplied } from '../../reconcile/managed-object.ts';
import type { GatewayFacts } from './facts.ts';
import type { GatewayApplied } from './status-schema.ts';
import type { GatewayPart, GatewayStep } from './steps.ts';
import { isSame, SETTINGS_FIELDS, type SettingsField, UNSET, type Whole } from './whole-settings.ts';

/** Settings that are sent, and those that have to wait until the first have taken effect. */
interface Settings {
  readonly first: GatewayPart<SettingsField>;
  /** Static routes into a network whose interface is only just being made. */
  readonly second: readonly GatewayStep[];
}

/**
 * Settings are sent whole, because the service may replace them whole: what the spec says over what is there. They take
 * effect with `config` only, so the status remembers between the two calls that it is pending.
 */
export function planSettings(facts: GatewayFacts, gateway: Gateway): GatewayPart<SettingsField> {
  return settingsOf(facts, gateway).first;
}

/** Whether settings are to be sent. */
export function sendsSettings(facts: GatewayFacts): boolean {
  const steps = facts.observed && planSettings(facts, facts.observed).steps;
  return steps?.some((step) => step.do === 'updateSettings') === true;
}

/** Static routes that have to wait for the private interface; all others go with the other settings. */
export function planLateRoutes(facts: GatewayFacts, gateway: Gateway): GatewayPart<'staticRoutes'> {
  return { steps: settingsOf(facts, gateway).second };
}

function settingsOf(facts: GatewayFacts, gateway: Gateway): Settings {
  const current: Whole = { ...UNSET, ...gateway.settings };
  const wanted = wantedSettings(facts);
  const next: Whole = { ...current, ...wanted };
  // Nothing can route into a network the gateway has left, and the service refuses such settings.
  if (next.privateInterface === null) next.staticRoutes = [];
  const changed = SETTINGS_FIELDS.filter((field) => !isSame(next[field], current[field]));
  const applied = appliedSettings(facts);
  if (changed.length === 0) {
    const isPending = facts.marks.configPending || isOutOfEffect(facts, wanted, current);
    const observed = isPending && facts.desired.spec.managementPolicy === 'Observe';
    return {
      first: { steps: isPending ? [config] : [], drift: observed ? notInEffect(facts, wanted, current) : [], applied },
      second: [],
    };
  }
  // An interface still to take effect could not carry static routes. Nothing else needs what was sent before to take effect,
  // which may be what was refused, or is taken back.
  const needsInterface = changed.includes('staticRoutes') && next.staticRoutes.length > 0;
  const before = facts.marks.configPending && needsInterface ? [interimConfig] : [];
  const drift = changed.map((field): Drift => ({ field, desired: show(next[field]), observed: show(current[field]) }));
  const send = sending(current);
  const interfaceIsNew = current.privateInterface === null && next.privateInterface !== null;
  if (!interfaceIsNew || next.staticRoutes.length === 0) {
    return { first: { steps: [...before, send(next, changed), config], drift, applied }, second: [] };
  }
  const others = changed.filter((field) => field !== 'staticRoutes');
  return {
    first: {
      steps: [...before, send({ ...next, staticRoutes: [] }, others, ['staticRoutes']), interimConfig],
      drift,
      applied,
    },
    second: [send(next, ['staticRoutes']), config],
  };
}

/** What is wanted is there already, as when it was sent before, and arrived after what took effect last. */
function isOutOfEffect({ inEffect }: GatewayFacts, wanted: Partial<Whole>, current: Whole): boolean {
  if (!inEffect) return false;
  const now: Whole = { ...UNSET, ...inEffect };
  return SETTINGS_FIELDS.some((field) => wanted[field] !== undefined && !isSame(current[field], now[field]));
}

/** Where nothing is sent, what is there and does not count has to be told. */
function notInEffect({ inEffect }: GatewayFacts, wanted: Partial<Whole>, current: Whole): Drift[] {
  const now: Whole | undefined = inEffect && { ...UNSET, ...inEffect };
  return SETTINGS_FIELDS.filter(
    (field) => wanted[field] !== undefined && !(now && isSame(now[field], current[field])),
  ).map((field) => ({
    field,
    desired: show(current[field]),
    observed: `${show(current[field])} as sent, which did not take effect yet as far as the operator knows`,
  }));
}

const config: GatewayStep = { do: 'config', follows: true, changes: [] };
const interimConfig: GatewayStep = { do: 'config', isInterim: true, follows: true, changes: [] };

/** Sends settings; of those in `current` the fields are told that differ. `clears`: what another step sets again. */
function sending(
  current: Whole,
): (settings: Whole, fields: readonly SettingsField[], clears?: readonly SettingsField[]) => GatewayStep {
  return (settings, fields, clears) => {
    const changes = fields.map(
      (field): FieldChange => ({ field, before: show(current[field]), after: show(settings[field]) }),
    );
    const told = { carries: SETTINGS_FIELDS, changes, ...(clears && { clears }) };
    return { do: 'updateSettings', settings, fields, ...told, marks: { configPending: true } };
  };
}

function wantedSettings(facts: GatewayFacts): Partial<Whole> {
  const { spec } = facts.desired;
  const wanted: Partial<Whole> = {};
  for (const field of SETTINGS_FIELDS) {
    const value = spec[field] ?? (wasApplied(facts, field) ? UNSET[field] : undefined);
    if (value !== undefined) Object.assign(wanted, { [field]: value });
  }
  return wanted;
}

function appliedSettings(facts: GatewayFacts): GatewayApplied {
  const { internetConnection, interDeviceCommunication, privateInterface, staticRoutes } = facts.desired.spec;
  return {
    ...(internetConnection !== undefined && { internetConnection }),
    ...(interDeviceCommunication !== undefined && { interDeviceCommunication }),
    ...(privateInterface && { privateInterface }),
    ...(staticRoutes && { staticRoutes }),
  };
}

function show(value: Whole[SettingsField]): string {
  if (value === null) return 'none';
  if (typeof value === 'boolean') return value ? 'on' : 'off';
  if (!Array.isArray(value)) return `${value.ipAddress}/${value.networkMaskLength}`;
  return value.length === 0 ? 'none' : value.map((route) => `${route.prefix} via ${route.nextHop}`).join(', ');
}
