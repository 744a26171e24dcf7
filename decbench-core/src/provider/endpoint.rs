//! The address of a service.

use std::net::{IpAddr, Ipv6Addr};

/// An address to send requests to: scheme, host, port and path, never a user, password or query.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Endpoint {
    secure: bool,
    /// In lower case; without the brackets of an IPv6 address.
    host: String,
    port: Option<u16>,
    /// Begins with `/`.
    path: String,
}

impl Endpoint {
    /// Reads a base address and joins the route to it; one slash at the end of the base is left out. Without a route the
    /// base is the whole address.
    ///
    /// # Errors
    ///
    /// Says what is wrong with the address, without repeating a user or password in it.
    pub fn join(base: &str, route: &str) -> Result<Self, String> {
        let (scheme, rest) = base
            .split_once("://")
            .ok_or("it does not begin with https://")?;
        let secure = match scheme.to_ascii_lowercase().as_str() {
            "https" => true,
            "http" => false,
            _ => return Err("it begins with neither https:// nor http://".to_owned()),
        };
        if rest.contains(['?', '#']) || route.contains(['?', '#']) {
            return Err("it has a query or fragment, where keys would show".to_owned());
        }
        let (authority, path) = match rest.find('/') {
            Some(slash) => rest.split_at(slash),
            None => (rest, ""),
        };
        if authority.contains('@') {
            return Err("it holds a user or password; keys belong in a variable".to_owned());
        }
        let (host, port) = split_port(authority)?;
        if host.is_empty()
            || !host
                .bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || b"-._:".contains(&byte))
        {
            return Err("its host is no name or address".to_owned());
        }
        let base_path = path.strip_suffix('/').unwrap_or(path);
        let path = match route.trim_start_matches('/') {
            "" if !base_path.is_empty() => base_path.to_owned(),
            route => format!("{base_path}/{route}"),
        };
        if !path.bytes().all(|byte| byte.is_ascii_graphic()) {
            return Err("its path holds blanks or other than ASCII letters".to_owned());
        }
        Ok(Self {
            secure,
            host: host.to_ascii_lowercase(),
            port,
            path,
        })
    }

    /// The whole address.
    pub fn url(&self) -> String {
        let scheme = if self.secure { "https" } else { "http" };
        let port = self
            .port
            .map_or_else(String::new, |port| format!(":{port}"));
        format!("{scheme}://{}{port}{}", self.shown_host(), self.path)
    }

    /// Host and port, by which processes take turns.
    pub fn host(&self) -> String {
        let port = self
            .port
            .map_or_else(String::new, |port| format!(":{port}"));
        format!("{}{port}", self.shown_host())
    }

    /// What of the address belongs to a candidate's identity: host, port and path. On this machine the port is left
    /// out: it is often a new one each time a server starts.
    pub fn identity(&self) -> String {
        match self.port {
            Some(port) if !self.is_loopback() => {
                format!("{}:{port}{}", self.shown_host(), self.path)
            }
            _ => format!("{}{}", self.shown_host(), self.path),
        }
    }

    /// Whether what is sent can be read on the way.
    pub fn is_plain(&self) -> bool {
        !self.secure
    }

    /// Whether the host is this machine.
    pub fn is_loopback(&self) -> bool {
        self.host == "localhost"
            || self.host.ends_with(".localhost")
            || self
                .host
                .parse::<IpAddr>()
                .is_ok_and(|address| address.is_loopback())
    }

    fn shown_host(&self) -> String {
        if self.host.parse::<Ipv6Addr>().is_ok() {
            format!("[{}]", self.host)
        } else {
            self.host.clone()
        }
    }
}

fn split_port(authority: &str) -> Result<(&str, Option<u16>), String> {
    let (host, port) = match authority.strip_prefix('[') {
        Some(rest) => {
            let (host, port) = rest.split_once(']').ok_or("its host lacks a `]`")?;
            (host, port.strip_prefix(':'))
        }
        None => match authority.split_once(':') {
            Some((host, port)) => (host, Some(port)),
            None => (authority, None),
        },
    };
    let port = port
        .map(|port| {
            port.parse::<u16>()
                .map_err(|_| "its port is no number up to 65535".to_owned())
        })
        .transpose()?;
    Ok((host, port))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base_and_route_join_with_one_slash() {
        for base in ["https://api.example.org/v1", "https://API.example.org/v1/"] {
            let endpoint = Endpoint::join(base, "/systemone").expect("an address");
            assert_eq!(endpoint.url(), "https://api.example.org/v1/systemone");
        }
    }

    #[test]
    fn without_a_route_the_base_is_the_whole_address() {
        for (base, url) in [
            ("https://h.org/run/@cf/clef", "https://h.org/run/@cf/clef"),
            ("https://h.org/run/", "https://h.org/run"),
            ("https://h.org", "https://h.org/"),
        ] {
            assert_eq!(Endpoint::join(base, "").expect("an address").url(), url);
        }
    }

    #[test]
    fn only_this_machine_is_loopback() {
        for (base, loopback) in [
            ("http://127.0.0.1:8080", true),
            ("http://localhost", true),
            ("http://[::1]:1", true),
            ("http://127.0.0.1.example.org", false),
            ("http://localhost.example.org", false),
            ("http://10.0.0.1", false),
        ] {
            let endpoint = Endpoint::join(base, "").expect("an address");
            assert_eq!(endpoint.is_loopback(), loopback, "{base}");
        }
    }

    #[test]
    fn a_local_port_is_no_part_of_the_identity() {
        let identity = |base| Endpoint::join(base, "/a").expect("an address").identity();
        assert_eq!(
            identity("http://127.0.0.1:4711"),
            identity("http://127.0.0.1:4712")
        );
        assert_ne!(
            identity("https://h.org:4711"),
            identity("https://h.org:4712")
        );
    }

    #[test]
    fn passwords_and_queries_are_refused_and_not_repeated() {
        for base in ["https://user:canary@h.org", "https://h.org?key=canary"] {
            let message = Endpoint::join(base, "").expect_err("refused");
            assert!(!message.contains("canary"));
        }
    }
}
