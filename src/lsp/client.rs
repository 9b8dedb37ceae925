//! What an editor can do, as it says when it starts the server.

use super::lines::Encoding;
use serde_json::Value;

/// What the editor can do.
#[derive(Clone, Copy)]
pub struct Client {
    /// How columns are counted.
    pub encoding: Encoding,
    /// Whether it takes texts with a place for the cursor.
    pub has_snippets: bool,
    /// Whether it shows a few words beside each completion, and not only beside the chosen one.
    pub has_label_details: bool,
    /// Whether it opens addresses.
    pub shows_documents: bool,
    /// Whether it can rename files as a part of an edit.
    pub renames_files: bool,
    /// Whether it takes edits with the versions of documents, as all but old ones do.
    pub has_document_changes: bool,
    /// Whether it shows the explanation of a message itself; most editors ignore what a command returns.
    pub explains: bool,
}

impl Client {
    /// Reads the parameters of `initialize`.
    pub fn of(params: &Value) -> Self {
        let capability = |path: &str| params.pointer(&format!("/capabilities/{path}"));
        let encodings = capability("general/positionEncodings").and_then(Value::as_array);
        let is_utf8 = encodings.is_some_and(|all| all.iter().any(|each| each.as_str() == Some("utf-8")));
        let is = |path: &str| capability(path).and_then(Value::as_bool) == Some(true);
        Client {
            encoding: if is_utf8 { Encoding::Utf8 } else { Encoding::Utf16 },
            has_snippets: is("textDocument/completion/completionItem/snippetSupport"),
            has_label_details: is("textDocument/completion/completionItem/labelDetailsSupport"),
            shows_documents: is("window/showDocument/support"),
            renames_files: capability("workspace/workspaceEdit/resourceOperations")
                .and_then(Value::as_array)
                .is_some_and(|all| all.iter().any(|each| each.as_str() == Some("rename"))),
            has_document_changes: is("workspace/workspaceEdit/documentChanges"),
            explains: params.pointer("/initializationOptions/explains").and_then(Value::as_bool) == Some(true),
        }
    }
}
