//! What patterns expand to, and what is no pattern.

use crate::builtin::testing::{expanded, expanded_among, lines_of, refusal, refusal_among};

/// The test and the body of a clause with this pattern.
fn clause(pattern: &str) -> String {
    let text = expanded(&format!("(case (f) {pattern} :body)"));
    let text = text.strip_prefix("(let [case1 (f)] (if ").unwrap();
    text.strip_suffix("))").unwrap().to_owned()
}

#[test]
fn a_constant_is_compared() {
    assert_eq!(clause("1"), "(= case1 1) :body");
    assert_eq!(clause(":a"), "(= case1 :a) :body");
    assert_eq!(clause("nil"), "(= case1 nil) :body");
    assert_eq!(clause("true"), "(= case1 true) :body");
}

#[test]
fn a_name_is_bound_and_not_nil() {
    assert_eq!(clause("x"), "(not= nil case1) (let [x case1] :body)");
}

#[test]
fn a_name_with_a_mark_fits_anything() {
    assert_eq!(expanded("(case (f) ?x ?x)"), "(let [case1 (f)] (let [?x case1] ?x))");
    assert_eq!(expanded("(case (f) _x _x)"), "(let [case1 (f)] (let [_x case1] _x))");
    assert_eq!(expanded("(case (f) _ :a)"), "(let [case1 (f)] :a)");
    assert_eq!(expanded("(case (f) _ _)"), "(let [case1 (f)] (let [_ case1] _))");
}

#[test]
fn tables_are_taken_apart_by_paths() {
    assert_eq!(
        clause("[a {:k [1 b]}]"),
        "(and (= (_G~0.type case1) :table) (not= nil (. case1 1)) \
         (= (_G~0.type (. case1 2)) :table) (= (_G~0.type (. case1 2 :k)) :table) \
         (= (. case1 2 :k 1) 1) (not= nil (. case1 2 :k 2))) \
         (let [a (. case1 1) b (. case1 2 :k 2)] :body)"
    );
    assert_eq!(clause("[]"), "(= (_G~0.type case1) :table) :body");
}

#[test]
fn the_rest_and_the_whole_are_bound() {
    assert_eq!(
        clause("[a & rest]"),
        "(and (= (_G~0.type case1) :table) (not= nil (. case1 1))) \
         (let [a (. case1 1) rest [(_G~0.table.unpack case1 2)]] :body)"
    );
    assert_eq!(
        clause("[a & [b &as more]]"),
        "(and (= (_G~0.type case1) :table) (not= nil (. case1 1)) (not= nil (. case1 2))) \
         (let [a (. case1 1) b (. case1 2) more [(_G~0.table.unpack case1 2)]] :body)"
    );
    assert_eq!(
        clause("{:a 1 &as all}"),
        "(and (= (_G~0.type case1) :table) (= (. case1 :a) 1)) (let [all case1] :body)"
    );
}

#[test]
fn a_name_that_comes_again_must_be_equal() {
    assert_eq!(
        clause("[a [?b a] ?b]"),
        "(and (= (_G~0.type case1) :table) (not= nil (. case1 1)) \
         (= (_G~0.type (. case1 2)) :table) (= (. case1 1) (. case1 2 2)) \
         (= (. case1 2 1) (. case1 3))) \
         (let [a (. case1 1) ?b (. case1 2 1)] :body)"
    );
    assert_eq!(clause("[_a _a]"), "(= (_G~0.type case1) :table) (let [_a (. case1 2)] :body)");
}

#[test]
fn computed_keys_are_read_before_any_name_is_bound() {
    assert_eq!(
        clause("{k v b k}"),
        "(and (= (_G~0.type case1) :table) (not= nil (. case1 k)) (not= nil (. case1 b))) \
         (let [(v k) (values (. case1 k) (. case1 b))] :body)"
    );
}

#[test]
fn as_many_values_are_bound_as_the_widest_pattern_has() {
    assert_eq!(
        expanded("(case (f) (nil e) e (a b 1) [a b] c c)"),
        "(let [(case1 case2 case3) (f)] (if \
         (and (= case1 nil) (not= nil case2)) (let [e case2] e) \
         (and (not= nil case1) (not= nil case2) (= case3 1)) (let [a case1 b case2] [a b]) \
         (not= nil case1) (let [c case1] c)))"
    );
}

#[test]
fn a_local_is_read_in_place_unless_a_pattern_captures_it() {
    assert_eq!(expanded_among(&["x"], "(case x 1 2)"), "(if (= x 1) 2)");
    assert_eq!(
        expanded_among(&["x"], "(case x {: x} x)"),
        "(let [case1 x] (if (and (= (_G~0.type case1) :table) (not= nil (. case1 :x))) \
         (let [x (. case1 :x)] x)))"
    );
    assert_eq!(expanded("(case x 1 2)"), "(let [case1 x] (if (= case1 1) 2))");
}

#[test]
fn several_clauses_ask_once_whether_there_is_a_table() {
    assert_eq!(
        expanded("(case (f) [1] :a {:k 2} :b _ :c)"),
        "(let [case1 (f) table2 (= (_G~0.type case1) :table)] \
         (if (and table2 (= (. case1 1) 1)) :a (and table2 (= (. case1 :k) 2)) :b :c))"
    );
    assert_eq!(
        expanded("(case {:a (f)} {:a 1} :one {} :other)"),
        "(let [case1 {:a (f)}] (if (= (. case1 :a) 1) :one :other))"
    );
}

#[test]
fn guards_see_the_names() {
    assert_eq!(
        clause("(where [a] (< a 2) z)"),
        "(and (= (_G~0.type case1) :table) (not= nil (. case1 1)) \
         (let [a (. case1 1)] (and (< a 2) z))) (let [a (. case1 1)] :body)"
    );
    assert_eq!(clause("(where 1 z)"), "(and (= case1 1) z) :body");
    assert_eq!(clause("(where 1)"), "(= case1 1) :body");
}

#[test]
fn a_guard_keeps_its_line() {
    let lines = lines_of("<", "(case (f)\n  (where a\n   (< a 2)) 1\n  (where _\n   (< 0 1)) 2)");
    assert_eq!(lines, [3, 5]);
}

#[test]
fn alternatives_bind_what_all_of_them_bind() {
    assert_eq!(clause("(where (or 1 2))"), "(or (= case1 1) (= case1 2)) :body");
    assert_eq!(clause("(where (or 1 a) z)"), "(and (or (= case1 1) (not= nil case1)) z) :body");
}

#[test]
fn alternatives_that_find_a_name_at_one_place_read_it_there() {
    assert_eq!(
        expanded("(case (f) (where (or [a 1] [a 2]) (< a 3)) a)"),
        "(let [case1 (f) table2 (= (_G~0.type case1) :table)] (if \
         (and (or (and table2 (not= nil (. case1 1)) (= (. case1 2) 1)) \
         (and table2 (not= nil (. case1 1)) (= (. case1 2) 2))) (let [a (. case1 1)] (< a 3))) \
         (let [a (. case1 1)] a)))"
    );
}

#[test]
fn alternatives_that_find_a_name_elsewhere_keep_it() {
    assert_eq!(
        expanded("(case (f) (where (or (1 a) (a 2)) (< a 3)) a)"),
        "(let [(case1 case2) (f)] (var found3 nil) (if (or \
         (and (= case1 1) (not= nil case2) \
         (let [a case2] (and (< a 3) (do (set found3 a) true)))) \
         (and (not= nil case1) (= case2 2) \
         (let [a case1] (and (< a 3) (do (set found3 a) true))))) \
         (let [a found3] a)))"
    );
    assert_eq!(
        expanded("(case (f) (where (or (1 a) (a 2))) a)"),
        "(let [(case1 case2) (f)] (var found3 nil) (if (or \
         (and (= case1 1) (not= nil case2) (do (set found3 case2) true)) \
         (and (not= nil case1) (= case2 2) (do (set found3 case1) true))) \
         (let [a found3] a)))"
    );
}

#[test]
fn a_pin_compares() {
    assert_eq!(clause("(where (= x))"), "(= case1 x) :body");
    assert_eq!(
        clause("(where [(= t.x) a])"),
        "(and (= (_G~0.type case1) :table) (= (. case1 1) t.x) (not= nil (. case1 2))) \
         (let [a (. case1 2)] :body)"
    );
}

#[test]
fn match_pins_names_in_scope() {
    assert_eq!(
        expanded_among(&["x", "?y", "_"], "(match (f) [x ?y x.z a] a _ 1)"),
        "(let [case1 (f)] (if (and (= (_G~0.type case1) :table) (= (. case1 1) x) \
         (= (. case1 2) ?y) (= (. case1 3) x.z) (not= nil (. case1 4))) \
         (let [a (. case1 4)] a) 1))"
    );
    assert_eq!(
        expanded("(match (f) (a ? (< a 1) z) a)"),
        "(let [case1 (f)] (if (and (not= nil case1) (let [a case1] (and (< a 1) z))) \
         (let [a case1] a)))"
    );
}

#[test]
fn steps_with_catch_bind_as_many_values_as_their_patterns_have() {
    assert_eq!(
        expanded("(case-try (f) a (g a) [b] b (catch (nil e) e))"),
        "(let [(case1 case2) (f)] (if (not= nil case1) (let [a case1] \
         (let [(case3 case4) (g a)] (if \
         (and (= (_G~0.type case3) :table) (not= nil (. case3 1))) (let [b (. case3 1)] b) \
         (and (= case3 nil) (not= nil case4)) (let [e case4] e)))) \
         (and (= case1 nil) (not= nil case2)) (let [e case2] e)))"
    );
}

#[test]
fn steps_without_catch_give_every_value_of_the_mismatch() {
    assert_eq!(
        expanded("(case-try (f) 1 :one)"),
        "(let [values2 (_G~0.table.pack (f)) case1 (. values2 1)] \
         (if (= case1 1) :one (_G~0.table.unpack values2 1 (. values2 :n))))"
    );
    assert_eq!(expanded("(case-try x 1 :one)"), "(let [case1 x] (if (= case1 1) :one case1))");
    assert_eq!(expanded("(case-try (f))"), "(f)");
}

#[test]
fn steps_of_match_pin_what_earlier_ones_bound() {
    assert_eq!(
        expanded("(match-try a x b x :same (catch x x))"),
        "(let [case1 a] (if (not= nil case1) (let [x case1] \
         (let [case2 b] (if (= case2 x) :same (= case2 x) x))) \
         (not= nil case1) (let [x case1] x)))"
    );
}

#[test]
fn calls_of_the_wrong_shape_are_refused() {
    for (call, refused) in [
        ("(case)", "(case) | case has no value to match"),
        ("(match x)", "(match x) | match has no pattern and body"),
        ("(case x 1 2 3)", "3 | this pattern has no body"),
        ("(case-try)", "(case-try) | case-try has no value to match"),
        ("(match-try x 1)", "1 | this pattern has no body"),
        ("(case-try x (catch _ 1) 2 3)", "(catch _ 1) | catch is not last"),
        ("(case-try x 1 2 (catch 3))", "3 | this pattern has no body"),
    ] {
        assert_eq!(refusal(call), refused);
    }
}

#[test]
fn what_is_no_pattern_is_refused_where_it_is() {
    for (pattern, refused) in [
        ("(where)", "(where) | where has no pattern"),
        ("(where (or))", "(or) | or has no patterns"),
        ("(where (where a))", "(where a) | where cannot stand inside of a pattern"),
        ("(or 1 2)", "(or 1 2) | or stands directly inside of (where …) only"),
        ("(where [(or 1 2)])", "(or 1 2) | or stands directly inside of (where …) only"),
        ("(= x)", "(= x) | (= name) stands inside of (where …) only"),
        ("(where (= x y))", "(= x y) | (= name) takes one name"),
        ("(where (= 5))", "5 | (= name) takes a name, and this is the number 5"),
        ("[(a b)]", "(a b) | a list cannot stand inside of a pattern"),
        ("()", "() | an empty list is no pattern"),
        ("...", "... | ... is not a pattern"),
        ("t.x", "t.x | a pattern cannot bind t.x"),
        ("(a ? b)", "? | case does not know ? as a guard"),
        ("(a & b)", "& | & cannot take the rest of several values"),
        ("&", "& | & is not a pattern here"),
        ("[a &]", "& | & has no name behind it"),
        ("[a & b c]", "c | & takes one name, the last one"),
        ("[a & 1]", "1 | & takes a name for the rest, and this is the number 1"),
        ("[a & a]", "a | a is bound twice, once to the rest of a table"),
        ("[a &as]", "&as | &as has no name behind it"),
        ("[&as t a]", "a | &as takes one name, the last one"),
        ("{:a b & c}", "& | a table pattern has no rest"),
    ] {
        assert_eq!(refusal(&format!("(case (f) {pattern} 1)")), refused);
    }
    assert_eq!(
        refusal_among(&["x"], "(match (f) (= x) 1)"),
        "(= x) | (= name) has no place in match"
    );
    assert_eq!(refusal("(match (f) t.x 1)"), "t.x | a pattern cannot bind t.x");
}
