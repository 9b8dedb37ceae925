//! Writes the extensions of Markdown that are more than a tag: tasks, alerts, wiki links and tables of contents.

use super::Writer;
use super::events::NO_LINK;
use crate::dialect::{CONTAINERS, TOC};
use pulldown_cmark::{BlockQuoteKind, CowStr};
use pulldown_cmark_escape::{escape_html, escape_html_body_text};
use sitegen_core::diagnostics::{MOST_SUPPRESSED, Span};
use sitegen_locale::direction::is_right_to_left;

/// What a language without titles of its own gets.
const ENGLISH: (&str, [&str; 5]) = ("en", ["Note", "Tip", "Important", "Warning", "Caution"]);

/// The titles of alerts in languages: note, tip, important, warning, caution.
const ALERTS: &[(&str, [&str; 5])] = &[
    ("ar", ["ملاحظة", "نصيحة", "مهم", "تحذير", "تنبيه"]),
    ("bg", ["Забележка", "Съвет", "Важно", "Предупреждение", "Внимание"]),
    ("ca", ["Nota", "Consell", "Important", "Advertència", "Precaució"]),
    ("cs", ["Poznámka", "Tip", "Důležité", "Varování", "Pozor"]),
    ("da", ["Bemærk", "Tip", "Vigtigt", "Advarsel", "Forsigtig"]),
    ("de", ["Hinweis", "Tipp", "Wichtig", "Warnung", "Vorsicht"]),
    ("el", ["Σημείωση", "Συμβουλή", "Σημαντικό", "Προειδοποίηση", "Προσοχή"]),
    ENGLISH,
    ("es", ["Nota", "Consejo", "Importante", "Advertencia", "Precaución"]),
    ("fa", ["نکته", "راهنمایی", "مهم", "هشدار", "احتیاط"]),
    ("fi", ["Huomautus", "Vinkki", "Tärkeää", "Varoitus", "Huomio"]),
    ("fr", ["Note", "Astuce", "Important", "Avertissement", "Attention"]),
    ("he", ["הערה", "טיפ", "חשוב", "אזהרה", "זהירות"]),
    ("hr", ["Napomena", "Savjet", "Važno", "Upozorenje", "Oprez"]),
    ("hu", ["Megjegyzés", "Tipp", "Fontos", "Figyelmeztetés", "Vigyázat"]),
    ("id", ["Catatan", "Tips", "Penting", "Peringatan", "Hati-hati"]),
    ("it", ["Nota", "Suggerimento", "Importante", "Avviso", "Attenzione"]),
    ("ja", ["注記", "ヒント", "重要", "警告", "注意"]),
    ("ko", ["참고", "팁", "중요", "경고", "주의"]),
    ("nb", ["Merknad", "Tips", "Viktig", "Advarsel", "Forsiktig"]),
    ("nl", ["Opmerking", "Tip", "Belangrijk", "Waarschuwing", "Let op"]),
    ("no", ["Merknad", "Tips", "Viktig", "Advarsel", "Forsiktig"]),
    ("pl", ["Uwaga", "Wskazówka", "Ważne", "Ostrzeżenie", "Przestroga"]),
    ("pt", ["Nota", "Dica", "Importante", "Aviso", "Cuidado"]),
    ("ro", ["Notă", "Sfat", "Important", "Avertisment", "Atenție"]),
    ("ru", ["Примечание", "Совет", "Важно", "Предупреждение", "Осторожно"]),
    ("sk", ["Poznámka", "Tip", "Dôležité", "Varovanie", "Pozor"]),
    ("sl", ["Opomba", "Nasvet", "Pomembno", "Opozorilo", "Previdno"]),
    ("sv", ["Obs", "Tips", "Viktigt", "Varning", "Försiktigt"]),
    ("tr", ["Not", "İpucu", "Önemli", "Uyarı", "Dikkat"]),
    ("uk", ["Примітка", "Порада", "Важливо", "Попередження", "Обережно"]),
    ("ur", ["نوٹ", "مشورہ", "اہم", "انتباہ", "احتیاط"]),
    ("vi", ["Lưu ý", "Mẹo", "Quan trọng", "Cảnh báo", "Thận trọng"]),
    ("zh", ["注意", "提示", "重要", "警告", "小心"]),
];

const TASK_CLASS: &str = " class=\"task-list-item\"";

/// A task whose label is not complete.
pub(super) struct OpenTask {
    /// Where its label begins in the output, and where its text does.
    out: usize,
    text: usize,
    is_checked: bool,
}

impl Writer<'_> {
    /// Writes the checkbox of `- [ ]`. Its label is the text of the item, as far as it is one paragraph.
    pub(super) fn open_task(&mut self, is_checked: bool, span: Span) {
        if self.out.get(..self.item).is_some_and(|out| out.ends_with("<li>")) {
            self.out.insert_str(self.item - 1, TASK_CLASS);
            self.item += TASK_CLASS.len();
            self.paragraph =
                self.paragraph.map(|at| if at + TASK_CLASS.len() >= self.item { at + TASK_CLASS.len() } else { at });
        }
        let out = self.out.len();
        self.trace(span);
        self.out.push_str("<label>");
        self.trace(span);
        self.out.push_str(if is_checked {
            "<input type=\"checkbox\" disabled checked> "
        } else {
            "<input type=\"checkbox\" disabled> "
        });
        self.task = Some(OpenTask { out, text: self.out.len(), is_checked });
    }

    /// Ends the label of a task. Without a text it is none, as on GitHub.
    pub(super) fn close_task(&mut self) {
        let Some(OpenTask { out, text, is_checked }) = self.task.take() else { return };
        if self.out[text..].trim().is_empty() {
            self.out.truncate(out);
            self.out.push_str(if is_checked { "[x]" } else { "[ ]" });
            let start = self.item.saturating_sub(TASK_CLASS.len() + 1);
            if self.out.get(start..).is_some_and(|out| out.starts_with(TASK_CLASS)) {
                self.out.replace_range(start..start + TASK_CLASS.len(), "");
                self.item -= TASK_CLASS.len();
                self.paragraph = self.paragraph.map(|at| if at > start { at - TASK_CLASS.len() } else { at });
            }
            return;
        }
        self.out.truncate(self.out.trim_end().len());
        self.out.push_str("</label>");
    }

    /// Writes the beginning of `> [!NOTE]`, with the classes that GitHub gives it and a title in the language of the text.
    pub(super) fn open_alert(&mut self, kind: BlockQuoteKind) {
        let (class, index) = match kind {
            BlockQuoteKind::Note => ("note", 0),
            BlockQuoteKind::Tip => ("tip", 1),
            BlockQuoteKind::Important => ("important", 2),
            BlockQuoteKind::Warning => ("warning", 3),
            BlockQuoteKind::Caution => ("caution", 4),
        };
        let language = self.context.language;
        let is_primary =
            |tag: &str| language.split('-').next().is_some_and(|primary| primary.eq_ignore_ascii_case(tag));
        let known = ALERTS.iter().find(|(tag, _)| is_primary(tag));
        // A language without titles of its own gets English ones that say so.
        let (attribute, titles) = match known {
            Some((_, titles)) => ("", titles),
            None if is_right_to_left(language) => (" lang=\"en\" dir=\"ltr\"", &ENGLISH.1),
            None => (" lang=\"en\"", &ENGLISH.1),
        };
        let title = titles[index];
        self.out.push_str(&format!(
            "<div class=\"markdown-alert markdown-alert-{class}\">\n<p class=\"markdown-alert-title\"{attribute}>{title}</p>\n"
        ));
    }

    /// Writes the beginning of `[[Page]]`, `[[Page#Section]]` or `[[#Section]]`.
    pub(super) fn open_wiki_link(&mut self, target: &str, span: Span) {
        // In a table a backslash stands before the `|`, which ends a cell otherwise.
        let written = self.filled(target.strip_suffix('\\').unwrap_or(target)).into_owned();
        let (page, section) = written.split_once('#').map_or((written.as_str(), None), |(page, it)| (page, Some(it)));
        let section =
            section.map(|title| format!("#{}", self.context.dialect.ids.of(title, title))).unwrap_or_default();
        let page = match page.trim() {
            "" => Ok(String::new()),
            // What is not reported is not searched either.
            _ if self.diagnostics.len() > MOST_SUPPRESSED => return self.out.push_str(NO_LINK),
            name => self.context.addresses.page_named(name),
        };
        match page {
            Ok(page) => self.open_resolved(&format!("{page}{section}"), &CowStr::Borrowed("")),
            Err(problem) => {
                self.report_address(problem, page_of(&written), span);
                self.out.push_str(NO_LINK);
            }
        }
    }

    /// Whether a paragraph is the first `[TOC]` of the text.
    pub(super) fn is_toc(&self, span: Span) -> bool {
        let written = &self.marked.text[span.start..span.end];
        written.trim() == "[TOC]" && self.context.dialect.has(TOC) && self.footnote.is_empty() && self.toc.is_none()
    }

    /// Notes that the table of contents goes in the place of a paragraph.
    pub(super) fn place_toc(&mut self) {
        if let Some(start) = self.paragraph.take() {
            self.out.truncate(start);
            self.toc = Some(start);
        }
    }

    /// Writes the table of contents, once all headings are known.
    pub(super) fn write_toc(&mut self) {
        let Some(at) = self.toc.filter(|_| !self.headings.is_empty()) else { return };
        let mut toc = String::new();
        let mut open: Vec<u8> = Vec::new();
        for heading in &self.headings {
            while open.len() > 1 && open.last().is_some_and(|level| *level > heading.level) {
                toc.push_str("</li>\n</ul>\n");
                open.pop();
            }
            match open.last() {
                Some(level) if *level >= heading.level => toc.push_str("</li>\n"),
                Some(_) => {
                    toc.push_str("\n<ul>\n");
                    open.push(heading.level);
                }
                None => {
                    toc.push_str("<ul class=\"toc\">\n");
                    open.push(heading.level);
                }
            }
            toc.push_str("<li><a href=\"#");
            // Writing to a String cannot fail.
            let _ = escape_html(&mut toc, &heading.id);
            toc.push_str("\">");
            let _ = escape_html_body_text(&mut toc, heading.title.trim());
            toc.push_str("</a>");
        }
        toc.extend(open.iter().map(|_| "</li>\n</ul>\n"));
        self.out.insert_str(at, &toc);
    }

    /// Warns of a container, where containers are text. `span` is in the body.
    pub(super) fn warn_of_container(&mut self, span: Span) {
        if self.context.dialect.is_undecided(CONTAINERS) {
            self.warn_in_body(CONTAINERS, span);
        }
    }
}

fn page_of(written: &str) -> &str {
    written.split('#').next().unwrap_or(written).trim()
}
