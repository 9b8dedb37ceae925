-- Neovim with the server, in a copy of `site/` that is the current folder. `run` starts it.
local unpack = table.unpack or unpack
local function fail(text)
  io.stderr:write("FAILED: " .. text .. "\n")
  vim.cmd("cquit 1")
end
local function check(is, text)
  if not is then fail(text) end
  io.stdout:write("ok   " .. text .. "\n")
end
local function wait(what, is)
  if not vim.wait(20000, is, 20) then fail("waited in vain: " .. what) end
  io.stdout:write("ok   " .. what .. "\n")
end

local root = vim.fn.getcwd()
local command = { "sitegen", "lsp" }
if vim.lsp.config then
  local guide = table.concat(vim.fn.readfile(vim.env.GUIDE), "\n")
  assert(load(guide:match("```lua\n(vim%.lsp%.config.-)\n```")))()
elseif vim.lsp.start then
  vim.api.nvim_create_autocmd("FileType", { pattern = { "yaml", "markdown", "html" }, callback = function()
    vim.lsp.start({ name = "sitegen", cmd = command, root_dir = root })
  end })
else
  -- Before 0.8.
  local client
  vim.api.nvim_create_autocmd("FileType", { pattern = { "yaml", "markdown", "html" }, callback = function()
    client = client or vim.lsp.start_client({ name = "sitegen", cmd = command, root_dir = root })
    vim.lsp.buf_attach_client(0, client)
  end })
end
vim.cmd("filetype on")
vim.o.hidden = true
vim.notify = function(text) io.stdout:write("note " .. text .. "\n") end

local function request(method, params)
  local answers, failure = vim.lsp.buf_request_sync(0, method, params, 20000)
  if not answers then fail(method .. ": " .. tostring(failure)) end
  for _, answer in pairs(answers) do
    if answer.error or answer.err then fail(method .. ": " .. vim.inspect(answer)) end
    return answer.result
  end
end
--- The position after the first occurrence of some text.
local function after(text)
  for number, line in ipairs(vim.api.nvim_buf_get_lines(0, 0, -1, false)) do
    local _, column = line:find(text, 1, true)
    if column then return number, column end
  end
  fail("there is no " .. text)
end
local function move(text, back)
  local line, column = after(text)
  vim.api.nvim_win_set_cursor(0, { line, column - (back or 0) })
end
--- The position at a byte of a line, as the server counts.
local function position(line, column)
  local client = (vim.lsp.get_clients or vim.lsp.get_active_clients)()[1]
  if client.offset_encoding ~= "utf-8" then
    local before = vim.api.nvim_buf_get_lines(0, line - 1, line, true)[1]:sub(1, column)
    column = select(2, vim.str_utfindex(before))
  end
  return { textDocument = { uri = vim.uri_from_bufnr(0) }, position = { line = line - 1, character = column } }
end
local function at()
  return position(unpack(vim.api.nvim_win_get_cursor(0)))
end
local function labels(result)
  local all = {}
  for _, item in ipairs(result.items) do all[item.label] = item end
  return all
end
local function codes()
  local all = {}
  for _, each in ipairs(vim.diagnostic.get(0)) do
    local code = each.code or (each.user_data and each.user_data.lsp.code)
    table.insert(all, ("%s at %d:%d"):format(code, each.lnum + 1, each.col + 1))
  end
  return table.concat(all, ", ")
end

vim.cmd("edit content/pages/index.md")
wait("the broken link is reported at its place", function() return codes() == "broken-link at 5:54" end)

move("site.email", 3)
local hover = request("textDocument/hover", at())
check(hover.contents.value:find("hello@bakery.test", 1, true), "hovering shows the value of a reference")

vim.lsp.buf.definition()
wait("the definition of a reference is in site.yaml", function()
  return vim.api.nvim_buf_get_name(0):match("content/site%.yaml$") and vim.api.nvim_win_get_cursor(0)[1] == 4
end)
vim.cmd("buffer content/pages/index.md")

-- Text that is not saved: what a person types.
vim.api.nvim_buf_set_lines(0, -1, -1, false, { "", "ä𝄞 {{ site. }} and [x](/" })
local items = labels(request("textDocument/completion", position(after("ä𝄞 {{ site."))))
check(items.email and items.email.detail:find("hello@bakery.test", 1, true), "references are completed with their values")
items = labels(request("textDocument/completion", position(after("and [x](/"))))
check(items["/about"] and vim.inspect(items["/about"]):find("About us", 1, true), "links are completed with titles")
wait("text that is not saved is checked", function() return #vim.diagnostic.get(0) > 1 end)
vim.cmd("silent undo")
wait("what is taken back is no longer reported", function() return codes() == "broken-link at 5:54" end)

-- The lamp: Neovim asks which action with `vim.ui.select`.
local offered
vim.ui.select = function(all, options, choose)
  offered = vim.tbl_map(options.format_item or tostring, all)
  choose(all[1], 1)
end
move("(/abuot", 3)
vim.lsp.buf.code_action()
wait("the repair is applied", function() return vim.fn.search("(/about)", "nw") > 0 end)
check(not offered or offered[1]:find("/about", 1, true), "the first action is the repair: " .. vim.inspect(offered))
wait("nothing is wrong after it", function() return codes() == "" end)
vim.cmd("silent write")
check(table.concat(vim.fn.readfile("content/pages/index.md"), "\n"):find("](/about)", 1, true), "it is saved")

local symbols = request("workspace/symbol", { query = "about" })
check(symbols and symbols[1] and symbols[1].location.uri:match("about%.md$"), "a page is found by a part of its name")

-- A key of one's own: in the site, and where a text shows it.
move("labels.opening", 2)
vim.lsp.buf.rename("opens")
wait("renaming a key changes its references", function() return vim.fn.search("{{ site.labels.opens }}", "nw") > 0 end)
vim.cmd("silent wall")
wait("and the file that declares it", function()
  return table.concat(vim.fn.readfile("content/site.yaml"), "\n"):find("\n  opens: seven", 1, true)
end)
wait("and nothing is wrong after it", function() return #vim.diagnostic.get() == 0 end)

-- A page: its file, its links, and a redirect from its old address.
move("(/about", 2)
vim.lsp.buf.rename("/bread")
wait("renaming a page moves its file", function() return vim.fn.filereadable("content/pages/bread.md") == 1 end)
wait("and its links", function() return vim.fn.search("](/bread)", "nw") > 0 end)
vim.cmd("silent wall")
wait("and leaves a redirect", function()
  return table.concat(vim.fn.readfile("content/pages/bread.md"), "\n"):find("/about", 1, true)
end)
check(vim.fn.filereadable("content/pages/about.md") == 0, "the old file is gone")
wait("and nothing is wrong then", function() return #vim.diagnostic.get() == 0 end)

vim.cmd("edit templates/pages/page.html")
vim.api.nvim_buf_set_lines(0, 10, 10, false, { "{{ page.titel }}" })
wait("a template that is not saved is checked", function() return codes():find("at 11:", 1, true) end)
io.stdout:write("     " .. codes() .. "\n")
items = labels(request("textDocument/completion", position(after("{{ page."))))
check(items.title, "the keys of a page are completed in its template")

-- The command of the guide.
local guide = table.concat(vim.fn.readfile(vim.env.GUIDE), "\n")
assert(load(guide:match("```lua\n(vim%.api%.nvim_create_user_command.-)\n```")))()
local shown
vim.notify = function(text) shown = text end
vim.cmd("edit content/pages/bread.md")
vim.cmd("SitegenOpen")
wait("a page can be opened in the browser", function() return shown and shown:match("^http://127%.0%.0%.1:%d+/bread") end)
vim.cmd("qall!")
