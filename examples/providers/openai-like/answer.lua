-- An answer that is built out of the chunks of a stream, and told of piece by piece.
--
-- `content` holds the blocks in the order in which they came, as fen wants them; `on_event` hears of
-- each as it grows. `content-index` counts them from 1.

local json, wire
local answer = {}
local Building = {}
Building.__index = Building

-- A field of a chunk as text. What the server sends as null is `json.null` here and not nil, so
-- types are asked for.
local function text(value)
  return type(value) == "string" and value ~= "" and value or nil
end

local function count(value)
  return type(value) == "number" and math.floor(value) or nil
end

function answer.new(on_event)
  -- `calls` finds a call by the server's number for it; `order` has them as they came.
  local building = { content = {}, calls = {}, order = {}, on_event = on_event }
  return setmetatable(building, Building)
end

-- Sends an event about the block at `index`.
function Building:tell(kind, index, fields)
  fields.type, fields["content-index"] = kind, index
  self.on_event(fields)
end

function Building:start()
  if not self.started then
    self.started = true
    self.on_event({ type = "start" })
  end
end

-- Begins a block, after ending the one before.
function Building:open(block, kind)
  self:close()
  local index = #self.content + 1
  self.content[index] = block
  self.kind, self.index = kind, index
  self:tell(kind .. "-start", index, {})
  return index
end

-- Ends the text or the thinking that is open. Calls stay open to the end: servers may mix them.
function Building:close()
  local block = self.content[self.index or 0]
  if block and self.kind ~= "tool-call" then
    self:tell(self.kind .. "-end", self.index, { content = block.text or block.thinking })
  end
  self.kind, self.index = nil, nil
end

function Building:grow(kind, field, delta)
  if self.kind ~= kind then
    self:open({ type = kind, [field] = "" }, kind)
  end
  local block = self.content[self.index]
  block[field] = block[field] .. delta
  self:tell(kind .. "-delta", self.index, { delta = delta })
end

function Building:call(delta)
  local number = count(delta.index) or 0
  local call = self.calls[number]
  local named = type(delta["function"]) == "table" and delta["function"] or {}
  if not call then
    local block = {
      type = "tool-call",
      id = text(delta.id) or "call-" .. number,
      name = text(named.name) or "",
    }
    call = { block = block, arguments = "" }
    call.index = self:open(block, "tool-call")
    self.calls[number] = call
    self.order[#self.order + 1] = call
  end
  local piece = text(named.arguments)
  if piece then
    call.arguments = call.arguments .. piece
    self:tell("tool-call-delta", call.index, { delta = piece })
  end
end

function Building:usage_of(usage)
  if type(usage) ~= "table" then
    return
  end
  local details = usage.prompt_tokens_details
  local cached = type(details) == "table" and count(details.cached_tokens) or nil
  local input = count(usage.prompt_tokens)
  self.usage = {
    -- fen counts what came from the cache apart from the rest.
    input = input and input - (cached or 0),
    output = count(usage.completion_tokens),
    ["cache-read"] = cached,
    ["total-tokens"] = count(usage.total_tokens),
  }
end

-- Takes one chunk of the stream.
function Building:add(chunk)
  self:start()
  if type(chunk.error) == "table" then
    local words = text(chunk.error.message) or "the server broke the answer off"
    error({ kind = "overloaded", message = words })
  end
  self:usage_of(chunk.usage)
  local choice = type(chunk.choices) == "table" and chunk.choices[1]
  if not choice then
    return
  end
  local delta = type(choice.delta) == "table" and choice.delta or {}
  local thinking = text(delta.reasoning_content)
  if thinking then
    self:grow("thinking", "thinking", thinking)
  end
  local words = text(delta.content)
  if words then
    self:grow("text", "text", words)
  end
  if type(delta.tool_calls) == "table" then
    for _, call in ipairs(delta.tool_calls) do
      self:call(call)
    end
  end
  self.reason = text(choice.finish_reason) or self.reason
end

-- Takes an answer that came whole: its message is one large delta.
function Building:add_whole(response)
  local choice = response.choices[1]
  for index, call in ipairs(choice.message.tool_calls or {}) do
    call.index = index - 1
  end
  self:add({
    choices = { { delta = choice.message, finish_reason = choice.finish_reason } },
    usage = response.usage,
  })
end

-- Ends the blocks and gives the message.
function Building:finish()
  if not self.reason then
    -- A stream that ends without one has broken off, even if it ended in order.
    error({ kind = "truncated-stream", message = "the answer ended before it was complete" })
  end
  self:close()
  for _, call in ipairs(self.order) do
    local ok, arguments = pcall(json.decode, call.arguments == "" and "{}" or call.arguments)
    if ok and type(arguments) == "table" then
      call.block.arguments = arguments
    else
      -- fen answers such a call with an error that the model can read, and does not run it.
      call.block.arguments = {}
      call.block.invalid = "the arguments are not a JSON object: " .. call.arguments:sub(1, 200)
    end
    self:tell("tool-call-end", call.index, { ["tool-call"] = call.block })
  end
  local message = {
    role = "assistant",
    timestamp = os.time() * 1000,
    content = self.content,
    ["stop-reason"] = #self.order > 0 and "tool-use" or wire.stop_reason(self.reason),
    usage = self.usage,
  }
  if message["stop-reason"] == "error" then
    message["error-message"], message["error-kind"] = "the server withheld the answer", "refused"
  else
    self.on_event({ type = "done", message = message })
  end
  return message
end

return function(its_json, its_wire)
  json, wire = its_json, its_wire
  return answer
end
