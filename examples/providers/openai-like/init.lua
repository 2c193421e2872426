-- A provider for servers that speak OpenAI's Chat Completions, such as llama.cpp, vLLM or Ollama.
--
-- It is in three parts: wire.lua translates between fen's messages and the wire, answer.lua builds
-- an answer out of the pieces of a stream, and this file talks to the server. fen itself retries what
-- failed for a moment, keeps the conversation, runs the tools and counts the tokens.
--
-- Where the server is stands in config.json beside this file. A key, if the server wants one, comes
-- from `fen --api-key`; a provider that always needs one names an auth backend in `auth`.

return function(api)
  local wire = require("wire")(api.json)
  local answer = require("answer")(api.json, wire)
  local config = api.load("config.json")
  local base = config["base-url"]:gsub("/+$", "")

  local function headers(options)
    local key = options["api-key"]
    -- `false` leaves a header out.
    return { authorization = key and "Bearer " .. key or false }
  end

  local function build_body(model, context, options)
    local body = {
      model = model,
      messages = wire.messages(context.messages, context["system-prompt"]),
      max_tokens = context["max-tokens"],
      stream = true,
      stream_options = { include_usage = true },
    }
    if #context.tools > 0 then
      body.tools = wire.tools(context.tools)
    end
    if options.thinking ~= "off" then
      body.reasoning_effort = options.thinking
    end
    return body
  end

  -- The beginning of the body of an answer that is none.
  local function body_of(response)
    local lines = {}
    for line in response.lines() do
      lines[#lines + 1] = line
      if #lines == 50 then
        break
      end
    end
    response.close()
    return table.concat(lines, "\n")
  end

  -- What goes wrong in here is thrown as `{kind, message}`, and becomes an answer with the stop
  -- reason `error`. The kind decides what fen does: `rate-limit`, `overloaded`, `network`, `stall`
  -- and `truncated-stream` are tried again.

  local function complete(model, context, options, on_event)
    local reply = api.http.stream({
      url = base .. "/chat/completions",
      headers = headers(options),
      json = build_body(model, context, options),
    })
    if not reply.ok then
      -- `network`, `timeout` and the like mean the same here as in a provider's failure.
      error({ kind = reply.kind, message = reply.error })
    elseif reply.status ~= 200 then
      error(wire.failure(reply, body_of(reply.response)))
    end

    local building = answer.new(on_event)
    -- A stream that breaks raises here, and what was sent so far is kept by fen. A cancelled turn
    -- ends the wait for the next event; the connection is closed when nothing refers to it.
    for event in reply.response.events() do
      if event.data == "[DONE]" then
        break
      end
      local ok, chunk = pcall(api.json.decode, event.data)
      if ok then
        building:add(chunk)
      elseif event.complete then
        local words = "the server sent what is not JSON: " .. event.data:sub(1, 200)
        error({ kind = "invalid-request", message = words })
      end
    end
    reply.response.close()
    return building:finish()
  end

  -- The same for an answer that came whole.
  local function parse_response(response)
    local building = answer.new(function() end)
    building:add_whole(response)
    return building:finish()
  end

  local function list_models(options)
    local reply = api.http.get(base .. "/models", {
      headers = headers(options),
      ["timeout-ms"] = 10000,
    })
    if not reply.ok then
      error(reply.error, 0)
    elseif reply.status ~= 200 then
      error(wire.failure(reply, reply.body).message, 0)
    end
    local models = {}
    for _, model in ipairs(reply.json().data) do
      models[#models + 1] = { id = model.id }
    end
    return models
  end

  api.register("provider", {
    name = "openai-like",
    api = "openai-completions",
    ["base-url"] = base,
    ["default-model"] = config.model,
    setup = "Write the server's address and a model into config.json of the extension openai-like.",
    ["convert-messages"] = wire.messages,
    ["convert-tools"] = wire.tools,
    ["map-stop-reason"] = wire.stop_reason,
    ["build-body"] = build_body,
    ["parse-response"] = parse_response,
    ["list-models"] = list_models,
    complete = complete,
  })
end
