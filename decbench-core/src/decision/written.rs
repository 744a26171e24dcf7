//! What an open question is answered with, and what is expected of it.

use serde_json::Value;

use super::{Check, Output, State};

/// An answer in a model's own words.
#[derive(Debug, Clone, PartialEq)]
pub struct Written {
    /// The text, or the JSON document.
    pub output: Value,
    /// The tools that were called on the way, in their order.
    pub tool_calls: Vec<ToolCall>,
}

impl Written {
    /// An answer without tools.
    pub fn new(output: impl Into<Value>) -> Self {
        Self {
            output: output.into(),
            tool_calls: Vec::new(),
        }
    }

    /// Reads what a candidate wrote as the answer to an open question: a text without the blanks around it, or a whole
    /// JSON document.
    ///
    /// # Errors
    /// Where nothing stands in it, or a document is asked for and it is none; a lower-case fragment.
    pub fn read(text: &str, output: Output) -> Result<Self, String> {
        let text = text.trim();
        if text.is_empty() {
            return Err("the answer is empty".to_owned());
        }
        match output {
            Output::Text => Ok(Self::new(text)),
            Output::Json => serde_json::from_str::<Value>(text)
                .map(Self::new)
                .map_err(|error| format!("the answer is no JSON: {error}")),
        }
    }

    /// As [`Written::read`], from a value: a text is read, a document taken as it is.
    ///
    /// # Errors
    /// As [`Written::read`].
    pub fn of_value(value: &Value, output: Output) -> Result<Self, String> {
        match (value, output) {
            (Value::String(text), _) => Self::read(text, output),
            (Value::Null, _) => Err("the answer is empty".to_owned()),
            (other, Output::Json) => Ok(Self::new(other.clone())),
            (other, Output::Text) => Ok(Self::new(other.to_string())),
        }
    }

    /// The output as text: a text as it is, anything else as compact JSON.
    ///
    /// ```
    /// use decbench_core::decision::Written;
    /// assert_eq!(Written::new("Dear Ms Roe").text(), "Dear Ms Roe");
    /// assert_eq!(Written::new(serde_json::json!({"total": 3})).text(), r#"{"total":3}"#);
    /// ```
    pub fn text(&self) -> std::borrow::Cow<'_, str> {
        text_of(&self.output)
    }
}

/// A text as it is, anything else as compact JSON.
pub(super) fn text_of(value: &Value) -> std::borrow::Cow<'_, str> {
    match value {
        Value::String(text) => text.into(),
        other => other.to_string().into(),
    }
}

/// One call of a tool.
#[derive(Debug, Clone, PartialEq)]
pub struct ToolCall {
    /// The tool's name.
    pub name: String,
    /// What it was given; null where nobody tells.
    pub arguments: Value,
}

impl ToolCall {
    /// Reads a list of calls, each a map with `name` and `arguments`; `None` where it is something else.
    ///
    /// ```
    /// use decbench_core::decision::ToolCall;
    /// let calls = serde_json::json!([{"name": "order", "arguments": {"id": 7}}, {"name": "refund"}]);
    /// assert_eq!(ToolCall::list(&calls).map(|calls| calls.len()), Some(2));
    /// assert_eq!(ToolCall::list(&serde_json::json!({"name": "order"})), None);
    /// ```
    pub fn list(value: &Value) -> Option<Vec<Self>> {
        let one = |call: &Value| {
            Some(Self {
                name: call.get("name")?.as_str()?.to_owned(),
                arguments: call.get("arguments").cloned().unwrap_or_default(),
            })
        };
        value.as_array()?.iter().map(one).collect()
    }
}

/// What a tool gives back in a case, recorded so that an agent can be asked again without the tool.
#[derive(Debug, Clone, PartialEq)]
pub struct ToolResult {
    /// The tool's name.
    pub name: String,
    /// The arguments it is for; `None` for any.
    pub arguments: Option<Value>,
    /// What it gives back.
    pub result: Value,
}

/// What a case expects of an open answer.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Expected {
    /// The answer that a person wrote or approved.
    pub gold: Option<Value>,
    /// An answer that nobody has approved.
    pub reference: Option<Value>,
    /// What production answered; kept for comparison, and never what an answer is compared with.
    pub production: Option<Written>,
    /// What must hold of the answer to this case, beside what holds for every case.
    pub checks: Vec<Check>,
    /// Criteria of this case, beside those of every case.
    pub rubric: Vec<String>,
}

impl Expected {
    /// Whether a person said for this very case what is right.
    pub fn says_what_is_right(&self) -> bool {
        self.gold.is_some() || !self.checks.is_empty() || !self.rubric.is_empty()
    }

    /// Everything that is compared with, as one document; what production answered is none of it.
    pub fn document(&self) -> Value {
        serde_json::json!({
            "gold": self.gold,
            "reference": self.reference,
            "checks": self.checks.iter().map(Check::document).collect::<Vec<_>>(),
            "rubric": self.rubric,
        })
    }
}

/// The material of an agent: what it is told, and what its tools will give back. The tools' results are shown to nobody
/// who has not called them.
#[derive(Debug, Clone, PartialEq)]
pub struct AgentState {
    /// What it is told.
    pub input: State,
    /// What its tools give back.
    pub tools: Vec<ToolResult>,
}

impl AgentState {
    /// The result of a call: that recorded for these arguments, else that for any.
    ///
    /// ```
    /// use decbench_core::decision::{AgentState, State, ToolCall, ToolResult};
    /// use serde_json::json;
    /// let result = |arguments, result| ToolResult { name: "order".into(), arguments, result };
    /// let state = AgentState {
    ///     input: State::Text("Where is order 7?".into()),
    ///     tools: vec![result(Some(json!({"id": 7})), json!("sent")), result(None, json!("unknown"))],
    /// };
    /// let call = |id: u32| ToolCall { name: "order".into(), arguments: json!({"id": id}) };
    /// assert_eq!(state.result_of(&call(7)), Some(&json!("sent")));
    /// assert_eq!(state.result_of(&call(8)), Some(&json!("unknown")));
    /// ```
    pub fn result_of(&self, call: &ToolCall) -> Option<&Value> {
        let mut named = self.tools.iter().filter(|tool| tool.name == call.name);
        let exact = named
            .clone()
            .find(|tool| tool.arguments.as_ref() == Some(&call.arguments));
        exact
            .or_else(|| named.find(|tool| tool.arguments.is_none()))
            .map(|tool| &tool.result)
    }

    /// The tools' names, each once, in the order of their results.
    pub fn tool_names(&self) -> Vec<&str> {
        let mut names: Vec<&str> = Vec::new();
        for tool in &self.tools {
            if !names.contains(&tool.name.as_str()) {
                names.push(&tool.name);
            }
        }
        names
    }

    /// What the tools give back, as a list of maps with `name`, `arguments` (null for any) and `result`.
    pub fn tools_document(&self) -> Value {
        let tools = self.tools.iter().map(|tool| {
            serde_json::json!({
                "name": tool.name,
                "arguments": tool.arguments,
                "result": tool.result,
            })
        });
        tools.collect()
    }

    /// The whole of it as one document, for its digest.
    pub(super) fn document(&self) -> Value {
        serde_json::json!({"input": self.input.as_json(), "tools": self.tools_document()})
    }
}
