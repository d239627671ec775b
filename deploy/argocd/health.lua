-- How every kind of edgeline.dev is, for Argo CD. An object that is being deleted never comes here: Argo CD itself says
-- Progressing. docs/reference/health.md shows what comes of each reason.
local conditions = {}
if obj.status ~= nil and obj.status.conditions ~= nil then
  for _, condition in ipairs(obj.status.conditions) do
    conditions[condition.type] = condition
  end
end

local ready = conditions["Ready"]
if ready == nil then
  return {status = "Progressing", message = "The operator has not looked at it yet."}
end
-- Of a namespace that another installation holds, this one answers without having looked at the spec.
local stalled = conditions["Stalled"]
local isAnswered = stalled ~= nil and stalled.observedGeneration == obj.metadata.generation
if obj.status.observedGeneration ~= obj.metadata.generation and not isAnswered then
  return {status = "Progressing", message = "The operator has not looked at the last change yet."}
end

-- Accounts have no Synced: what they say of themselves is in Ready.
local synced = conditions["Synced"] or ready
local suspending = {
  Paused = true, Abandoned = true, ApprovalPending = true, CreationHeld = true, DeletionHeld = true,
}
-- Its spec asks for that beyond a limit.
if ready.reason == "DataLimitExceeded" then
  return {status = "Suspended", message = ready.message}
end
if suspending[synced.reason] then
  return {status = "Suspended", message = synced.message}
end
if stalled ~= nil then
  return {status = "Degraded", message = stalled.message}
end
if conditions["Reconciling"] ~= nil then
  return {status = "Progressing", message = conditions["Reconciling"].message}
end
-- An account works and holds what would be too much at once until a person lets it go.
if conditions["Braked"] ~= nil then
  return {status = "Suspended", message = conditions["Braked"].message}
end
-- It works. Where the service differs in what only a person can decide, the message says in what.
if synced.status == "False" then
  return {status = "Healthy", message = synced.message}
end
return {status = "Healthy", message = ready.message}
