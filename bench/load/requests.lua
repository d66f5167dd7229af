-- Sends the requests of a file in turn, one a line: method, path and, after a second space, the content.
local requests = {}
local last = 0

function init(arguments)
  for line in io.lines(arguments[1]) do
    local method, path, content = line:match("^(%S+) (%S+) ?(.*)$")
    local headers = { ["Accept"] = "application/json" }
    for name, value in pairs(wrk.headers) do
      headers[name] = value
    end
    if content == "" then
      content = nil
    else
      headers["Content-Type"] = "application/json"
    end
    requests[#requests + 1] = wrk.format(method, path, headers, content)
  end
end

function request()
  last = last % #requests + 1
  return requests[last]
end

function done(summary, latency)
  local errors = summary.errors
  print(string.format(
    '{"requests":%d,"seconds":%.6f,"refused":%d,"broken":%d,"p50Ms":%.3f,"p99Ms":%.3f}',
    summary.requests, summary.duration / 1e6, errors.status,
    errors.connect + errors.read + errors.write + errors.timeout,
    latency:percentile(50) / 1e3, latency:percentile(99) / 1e3))
end
