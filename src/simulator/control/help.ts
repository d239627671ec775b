/** What `GET /` of the control port answers. */
export function helpText(control: string, routes: readonly string[]): string {
  return `The control port of the Edgeline simulator. It never asks for credentials and listens on this machine only.

What was asked
  GET    /requests?since=SEQ   the requests after SEQ, and \`next\` to go on with; secrets show as digests
  DELETE /requests             clears them and the counts
  GET    /counts               how often each route was asked
    curl ${control}/counts

Faults
  POST   /faults               adds one: route (\`*\` stands for anything), code, errorCode, retryAfter (seconds),
                               latencyMs, cut, stall, garbage, hold, when: before|after (the change),
                               rate (0 to 1), count, skip, of (the ID of an object)
  GET    /faults               lists them, with how often each has fired
  DELETE /faults, /faults/ID   removes all, or one
    curl -d '{"route":"PUT /commonserviceitem/:id/sim/ip","code":503,"count":2}' ${control}/faults
    curl -d '{"route":"*","rate":0.1,"cut":true,"when":"after"}' ${control}/faults

Holding requests (a fault with "hold": true)
  GET    /holds?wait=MS        the requests being held; waits until there is one
  POST   /holds/ID/release     lets it go on; its change is made even when its client is gone
  POST   /holds/ID/drop        ends it without an answer, and without the change when held before it
    curl -d '{"route":"POST /commonserviceitem","hold":true,"when":"after","count":1}' ${control}/faults
    curl '${control}/holds?wait=10000'

Time
  GET    /clock
  POST   /clock                {"advanceSeconds": 3600} or {"set": "2026-01-01T00:00:00Z"}
    curl -d '{"advanceSeconds":3600}' ${control}/clock

State
  GET    /state                everything there is; gateways show pending and applied settings; no secrets in clear
  GET    /state/sims/ID        one, by ID or ICCID (gateways and servers: name, sites: domain); /state/sims/ID/ip: one
                               member of it
  PATCH  /state                changes it behind the clients' back:
                               {"sims": {"ID or ICCID": {activated, ip, imeiLock, carriers, gatewayID, name, connectedIMEI, traffic}},
                                "gateways": {"ID or name": {name, availability, instanceStatus, settings, applied, dns}},
                                "sites": {"ID or domain": {status, settings, accessControl, certificate}},
                                "servers": {"ID or name": {power}}}
  POST   /state/sims           adds one, in the form of the seed file; also gateways, sites, servers;
                               \`account\` names the account it belongs to
  DELETE /state/sims/ID        removes one, named in the same ways
  POST   /reset                back to the seed: state, settings, clock, faults, requests
    curl -X PATCH -d '{"sims":{"8981000000000000001":{"activated":false}}}' ${control}/state

Settings
  GET, PATCH /settings         delay, migratingTime, stillCreatingMs, shownAfterCreate, silentAfterCreate, nonceLifetime (milliseconds),
                               notFoundAfterCreate, allowDuplicateICCID, ipMustBeInSubnet, webAccelLimit (an hour),
                               cloudLimit (a second), pageLimit, siteCountLimit, requestLogLimit, requestLogBytes
    curl -X PATCH -d '{"migratingTime":0}' ${control}/settings

Routes
${routes.map((route) => `  ${route}`).join('\n')}
`;
}
