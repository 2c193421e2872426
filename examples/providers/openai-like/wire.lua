-- Translation between fen's messages and those of Chat Completions. Nothing here talks to anybody.
-- A module has no `api`; what it needs of it, here `json`, is given to it.

local json
local wire = {}

-- The text of a content that may be a string or a list of blocks.
local function text_of(content)
  if type(content) == "string" then
    return content
  end
  local parts = {}
  for _, block in ipairs(content) do
    if block.type == "text" then
      parts[#parts + 1] = block.text
    end
  end
  return table.concat(parts, "\n")
end

local translate = {}

function translate.user(message)
  return { role = "user", content = text_of(message.content) }
end

function translate.assistant(message)
  local calls = {}
  for _, block in ipairs(message.content) do
    if block.type == "tool-call" then
      calls[#calls + 1] = {
        id = block.id,
        type = "function",
        ["function"] = { name = block.name, arguments = json.encode(block.arguments) },
      }
    end
  end
  return {
    role = "assistant",
    content = text_of(message.content),
    tool_calls = #calls > 0 and calls or nil,
  }
end

translate["tool-result"] = function(message)
  return {
    role = "tool",
    tool_call_id = message["tool-call-id"],
    content = text_of(message.content),
  }
end

-- All messages; `messages` is a list that makes each one when it is looked at.
function wire.messages(messages, system)
  local out = {}
  if system then
    out[1] = { role = "system", content = system }
  end
  for _, message in ipairs(messages) do
    out[#out + 1] = translate[message.role](message)
  end
  return out
end

function wire.tools(tools)
  local out = {}
  for index, tool in ipairs(tools) do
    out[index] = {
      type = "function",
      ["function"] = {
        name = tool.name,
        description = tool.description,
        parameters = tool.parameters,
      },
    }
  end
  return out
end

local STOP_REASONS = {
  stop = "stop",
  length = "length",
  tool_calls = "tool-use",
  function_call = "tool-use",
  content_filter = "error",
}

function wire.stop_reason(reason)
  return STOP_REASONS[reason] or "stop"
end

-- The error object of a body, if there is one.
local function reported(text)
  local ok, body = pcall(json.decode, text)
  local problem = ok and type(body) == "table" and body.error
  if type(problem) == "string" then
    return problem
  end
  return type(problem) == "table" and type(problem.message) == "string" and problem.message or nil
end

local function kind_of(status, words)
  if status == 401 or status == 403 then
    return "auth"
  elseif status == 429 then
    return "rate-limit"
  elseif status == 408 or status >= 500 then
    return "overloaded"
  elseif words:find("context length", 1, true) or words:find("context window", 1, true) then
    return "overflow"
  end
  return "invalid-request"
end

-- What to throw for an answer that is none.
function wire.failure(reply, body)
  local words = reported(body) or (body ~= "" and body:sub(1, 300)) or "no reason was given"
  local seconds = tonumber(reply.headers["Retry-After"])
  return {
    kind = kind_of(reply.status, words),
    message = ("HTTP %d: %s"):format(reply.status, words),
    ["retry-after-ms"] = seconds and math.floor(seconds * 1000) or nil,
  }
end

return function(its_json)
  json = its_json
  return wire
end
