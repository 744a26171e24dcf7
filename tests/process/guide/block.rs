//! The fenced blocks of a page.

/// A fenced block with the words behind its fence.
#[derive(Debug)]
pub(super) struct Block<'a> {
    /// The line of the fence, counted from 1.
    pub(super) line: usize,
    pub(super) language: &'a str,
    words: &'a str,
    pub(super) text: &'a str,
}

impl<'a> Block<'a> {
    /// What follows `key=` behind the fence, up to a space or in double quotes.
    pub(super) fn value(&self, key: &str) -> Option<&'a str> {
        let start = self.words.find(&format!("{key}="))? + key.len() + 1;
        let rest = &self.words[start..];
        match rest.strip_prefix('"') {
            Some(quoted) => quoted.split('"').next(),
            None => rest.split(' ').next(),
        }
    }
}

/// All blocks of `page`, from top to bottom.
pub(super) fn blocks(page: &str) -> Result<Vec<Block<'_>>, String> {
    let mut blocks = Vec::new();
    let mut open: Option<(usize, &str, usize)> = None;
    let mut at = 0;
    for (index, line) in page.split_inclusive('\n').enumerate() {
        let start = at;
        at += line.len();
        let Some(words) = line.trim_end().strip_prefix("```") else {
            continue;
        };
        match open.take() {
            None => open = Some((index + 1, words, at)),
            Some((line, words, from)) => {
                let (language, words) = words.split_once(' ').unwrap_or((words, ""));
                let text = &page[from..start];
                blocks.push(Block {
                    line,
                    language,
                    words,
                    text,
                });
            }
        }
    }
    match open {
        Some((line, ..)) => Err(format!("line {line}: a block is never closed")),
        None => Ok(blocks),
    }
}
