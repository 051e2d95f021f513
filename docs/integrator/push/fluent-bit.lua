-- A line {"key":"…","at":"…","subscription":"sub_…","calls":"3"} as a CloudEvent. -1 leaves a record out, 2 replaces it and keeps its time.
local function field(line, name)
  return line:match('"' .. name .. '"%s*:%s*"([^"\\]*)"') or line:match('"' .. name .. '"%s*:%s*(%-?[%d.]+)')
end

function to_event(tag, timestamp, record)
  local line = record["log"] or ""
  local key, at = field(line, "key"), field(line, "at")
  local subscription, calls = field(line, "subscription"), field(line, "calls")
  if not (key and at and subscription and calls) then
    return -1, timestamp, record
  end
  return 2, timestamp, {
    specversion = "1.0",
    id = key,
    source = "/fluent-bit",
    type = "call",
    subject = subscription,
    time = at,
    data = { value = calls },
  }
end
