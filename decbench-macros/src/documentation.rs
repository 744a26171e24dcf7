//! What a doc comment says.

use syn::{Attribute, Expr, ExprLit, Lit, Meta};

/// The first paragraph of a doc comment on one line; nothing where there is none.
pub(crate) fn first_paragraph(attributes: &[Attribute]) -> Option<String> {
    let mut words = Vec::new();
    'lines: for attribute in attributes {
        let Meta::NameValue(pair) = &attribute.meta else {
            continue;
        };
        let Expr::Lit(ExprLit {
            lit: Lit::Str(text),
            ..
        }) = &pair.value
        else {
            continue;
        };
        if !pair.path.is_ident("doc") {
            continue;
        }
        // A block comment is one attribute with several lines, often with a column of stars.
        let text = text.value();
        let block = text.contains('\n');
        for line in text.split('\n') {
            let line = line.trim();
            let starless = line.strip_prefix('*').filter(|_| block);
            let line = starless.unwrap_or(line).trim();
            if line.is_empty() && !words.is_empty() {
                break 'lines;
            }
            words.extend(line.split_whitespace().map(str::to_owned));
        }
    }
    (!words.is_empty()).then(|| words.join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use syn::parse_quote;

    #[test]
    fn lines_are_joined_up_to_the_first_empty_one() {
        let variant: syn::Variant = parse_quote! {
            /// Invoices, charges
            /// and   refunds.
            ///
            /// The switchboard calls them *accounts*.
            #[doc(hidden)]
            Billing
        };
        assert_eq!(
            first_paragraph(&variant.attrs).as_deref(),
            Some("Invoices, charges and refunds.")
        );
        let bare: syn::Variant = parse_quote!(Billing);
        assert_eq!(first_paragraph(&bare.attrs), None);
    }

    #[test]
    fn a_block_comment_reads_as_lines_do() {
        let variant: syn::Variant = parse_quote! {
            /**
             * Invoices and
             * refunds.
             */
            Billing
        };
        assert_eq!(
            first_paragraph(&variant.attrs).as_deref(),
            Some("Invoices and refunds.")
        );
    }
}
