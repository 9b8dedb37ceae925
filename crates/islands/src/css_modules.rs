//! CSS modules: stylesheets whose class names are local to the file.

use lightningcss::css_modules::{Config, CssModuleReference, Pattern};
use lightningcss::stylesheet::{ParserOptions, PrinterOptions, StyleSheet};
use sitegen_core::bundle::line_start;
use sitegen_core::diagnostics::{Diagnostic, Place, Span, StyleProblem};
use sitegen_core::paths::SourcePath;

/// How the name of one ends.
pub const EXTENSION: &str = ".module.css";

/// What esbuild reads instead of a CSS module: in its place a script with the names of its classes, as the default export
/// and each as an export of its own, and beside it a stylesheet that this imports.
pub fn compile(path: &SourcePath, text: &str) -> Result<[(String, String); 2], Diagnostic> {
    let problem = |detail: String, line: usize, column: usize| {
        let start = (line_start(text, line) + column).min(text.len());
        Diagnostic::new(StyleProblem::CssSyntax { detail, fix: None }, Place::new(path, Span::at(start, 1)))
    };
    let pattern = Pattern::parse("[local]_[hash]").unwrap_or_default();
    let options = ParserOptions {
        filename: path.as_str().to_owned(),
        css_modules: Some(Config { pattern, ..Config::default() }),
        ..ParserOptions::default()
    };
    let sheet = StyleSheet::parse(text, options).map_err(|error| {
        let (line, column) = error.loc.as_ref().map_or((0, 1), |place| (place.line as usize, place.column as usize));
        problem(error.kind.to_string(), line + 1, column.saturating_sub(1))
    })?;
    let printed = sheet.to_css(PrinterOptions::default()).map_err(|error| problem(error.kind.to_string(), 1, 0))?;
    let file = path.as_str().rsplit('/').next().unwrap_or_default();
    let (mut imports, mut names, mut exports) = (String::new(), String::new(), String::new());
    let mut classes: Vec<_> = printed.exports.unwrap_or_default().into_iter().collect();
    classes.sort_unstable_by(|(one, _), (other, _)| one.cmp(other));
    let quoted = |text: &str| serde_json::Value::from(text).to_string();
    for (index, (class, export)) in classes.iter().enumerate() {
        let mut value = quoted(&export.name);
        for (number, other) in export.composes.iter().enumerate() {
            match other {
                CssModuleReference::Local { name } | CssModuleReference::Global { name } => {
                    value.push_str(&format!("+{}", quoted(&format!(" {name}"))));
                }
                CssModuleReference::Dependency { name, specifier } => {
                    imports.push_str(&format!("import other{index}_{number} from {};\n", quoted(specifier)));
                    value.push_str(&format!("+\" \"+other{index}_{number}[{}]", quoted(name)));
                }
            }
        }
        imports.push_str(&format!("const name{index}={value};\n"));
        names.push_str(&format!("{}:name{index},", quoted(class)));
        if class != "default" {
            exports.push_str(&format!("name{index} as {},", quoted(class)));
        }
    }
    let script = format!(
        "import {};\n{imports}export default{{{names}}};\nexport{{{exports}}};\n",
        quoted(&format!("./{file}.css"))
    );
    Ok([(path.as_str().to_owned(), script), (format!("{}.css", path.as_str()), printed.code)])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_get_names_of_their_own() {
        let path = SourcePath::new("islands/parts/card.module.css");
        let text = ".red { color: red }\n.big { composes: red; font-size: 2em }\n:global(.page) .red { color: blue }";
        let [(script_path, script), (css_path, css)] = compile(&path, text).unwrap();
        assert_eq!((script_path.as_str(), css_path.as_str()), (path.as_str(), "islands/parts/card.module.css.css"));
        let name = css.split(['.', ' ']).find(|part| part.starts_with("red_")).unwrap();
        assert!(css.contains(&format!(".page .{name}")), "{css}");
        assert!(script.contains(&format!("=\"{name}\";")) && script.contains(&format!("+\" {name}\"")), "{script}");
        assert!(script.starts_with("import \"./card.module.css.css\";"), "{script}");
        // The same class of another module is another.
        let [_, (_, other)] = compile(&SourcePath::new("islands/other.module.css"), text).unwrap();
        assert!(!other.contains(name));
    }

    #[test]
    fn a_mistake_is_reported_at_its_place() {
        let path = SourcePath::new("islands/a.module.css");
        let place = compile(&path, ".a { color: red }\n.b {{ }").unwrap_err().place.unwrap();
        assert!(place.span.unwrap().start >= 18, "{place:?}");
    }
}
