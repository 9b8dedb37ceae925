// Starts the language server of sitegen, and shows what only an editor can show.
import { existsSync, statSync } from "node:fs";
import { delimiter, isAbsolute, join } from "node:path";
import * as vscode from "vscode";
import { LanguageClient } from "vscode-languageclient/node";

/** @type {LanguageClient | undefined} */
let client;
/** Starts and stops follow one another. */
let last = Promise.resolve();
/** @type {vscode.LogOutputChannel} */
let output;

/** The scheme of the documents that explain messages. */
const EXPLANATIONS = "sitegen-explanation";

/** @param {vscode.ExtensionContext} context */
export async function activate(context) {
  output = vscode.window.createOutputChannel("sitegen", { log: true });
  context.subscriptions.push(
    output,
    vscode.commands.registerCommand("sitegen.openPage", openPage),
    vscode.commands.registerCommand("sitegen.explainMessage", explainMessage),
    vscode.commands.registerCommand("sitegen.restart", restart),
    vscode.workspace.registerTextDocumentContentProvider(EXPLANATIONS, { provideTextDocumentContent: explanation }),
    vscode.workspace.onDidGrantWorkspaceTrust(restart),
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration("sitegen.path") || event.affectsConfiguration("sitegen.drafts")) restart();
    }),
  );
  await vscode.commands.executeCommand("setContext", "sitegen.isProject", true);
  await restart();
}

export function deactivate() {
  return client?.stop();
}

/** Ends the server, if one runs, and starts one. */
function restart() {
  last = last.then(stop).then(start).catch(failed);
  return last;
}

async function stop() {
  const old = client;
  client = undefined;
  await old?.dispose();
}

async function start() {
  const settings = vscode.workspace.getConfiguration("sitegen");
  const wanted = settings.get("path", "sitegen").trim() || "sitegen";
  const command = find(wanted);
  if (!command) {
    // Nothing waits for an answer.
    missing(wanted);
    return;
  }
  const args = ["lsp", ...(settings.get("drafts", false) ? ["--drafts"] : [])];
  // `initializationOptions.programs` is asked for again at each start, as trust may have come meanwhile.
  const started = new LanguageClient("sitegen", "sitegen", { command, args }, {
    documentSelector: [{ scheme: "file", pattern: "**/{content,templates,islands}/**" }],
    initializationOptions: { programs: vscode.workspace.isTrusted, explains: true },
    outputChannel: output,
    middleware: {
      // The editor has an outline of its own for these, and would show both.
      provideDocumentSymbols: (document, token, next) =>
        ["markdown", "css", "typescriptreact", "typescript"].includes(document.languageId) ? [] : next(document, token),
      // The server returns the text; which way it is shown is up to the editor.
      executeCommand: (name, values, next) => (name === "sitegen.explain" ? explain(String(values[0])) : next(name, values)),
    },
  });
  client = started;
  await started.start();
}

/**
 * Finds the program. Systems would also look in the current folder, which may be that of somebody else's project.
 * @param {string} wanted
 */
function find(wanted) {
  const isProgram = (/** @type {string} */ file) => existsSync(file) && statSync(file).isFile();
  const endings = process.platform === "win32" ? [".exe", ""] : [""];
  const folder = vscode.workspace.workspaceFolders?.find((each) => each.uri.scheme === "file")?.uri.fsPath;
  const isPath = /[\\/]/.test(wanted);
  if (isPath && !isAbsolute(wanted) && !folder) return undefined;
  const folders = isPath
    ? [isAbsolute(wanted) ? "" : folder ?? ""]
    : (process.env.PATH ?? process.env.Path ?? "").split(delimiter).filter((each) => isAbsolute(each));
  return folders.flatMap((each) => endings.map((ending) => (each ? join(each, wanted) : wanted) + ending)).find(isProgram);
}

/** @param {string} wanted */
async function missing(wanted) {
  output.error(`there is no program ${wanted}`);
  const settings = "Open the settings";
  const chosen = await vscode.window.showErrorMessage(
    `sitegen: there is no program \`${wanted}\`. Install sitegen, or set \`sitegen.path\` to it.`,
    settings,
  );
  if (chosen) await vscode.commands.executeCommand("workbench.action.openSettings", "sitegen.path");
}

/** @param {unknown} reason */
function failed(reason) {
  const text = reason instanceof Error ? reason.message : String(reason);
  output.error(text);
  vscode.window.showErrorMessage(`sitegen: ${text}`);
}

/** @param {string} command @param {unknown[]} values */
async function ask(command, ...values) {
  await last;
  if (!client) throw new Error("the server does not run; see the output channel “sitegen”");
  return client.sendRequest("workspace/executeCommand", { command, arguments: values });
}

/** Shows the page of the cursor. The server asks the editor to open it, once it serves it. */
async function openPage() {
  const editor = vscode.window.activeTextEditor;
  if (!editor) return;
  const { line, character } = editor.selection.active;
  await ask("sitegen.open", editor.document.uri.toString(), { line, character }).catch(failed);
}

/** Explains the message at the cursor, on its line, or, if there are several, the one that is chosen. */
async function explainMessage() {
  const editor = vscode.window.activeTextEditor;
  if (!editor) return;
  const at = editor.selection.active;
  const all = vscode.languages.getDiagnostics(editor.document.uri).filter((each) => each.source === "sitegen");
  const near = [
    all.filter((each) => each.range.contains(at)),
    all.filter((each) => each.range.start.line <= at.line && each.range.end.line >= at.line),
    all,
  ].find((some) => some.length > 0);
  const codes = [...new Map((near ?? []).map((each) => [codeOf(each), each.message.split("\n")[0]]))];
  if (codes.length === 0) {
    vscode.window.showInformationMessage("sitegen: there is no message in this file.");
    return;
  }
  const items = codes.map(([label, description]) => ({ label, description }));
  const chosen = items.length === 1 ? items[0] : await vscode.window.showQuickPick(items, { placeHolder: "Which message?" });
  if (chosen) await explain(chosen.label);
}

/** @param {vscode.Diagnostic} diagnostic */
function codeOf({ code }) {
  return String(typeof code === "object" ? code.value : code);
}

/** @param {string} code */
async function explain(code) {
  const uri = vscode.Uri.from({ scheme: EXPLANATIONS, path: `/${code}.md` });
  await vscode.commands.executeCommand("markdown.showPreviewToSide", uri);
}

/** @param {vscode.Uri} uri */
async function explanation(uri) {
  const code = uri.path.slice(1).replace(/\.md$/, "");
  const text = String(await ask("sitegen.explain", code));
  return text.startsWith(`${code}\n`) ? `# ${text}` : `# ${code}\n\n${text}`;
}
