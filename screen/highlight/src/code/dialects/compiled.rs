//! Languages that are compiled to machine code.

use super::*;

pub(crate) static RUST: Dialect = Dialect {
    keywords: "as async await break const continue crate dyn else enum extern fn for if impl in let \
               loop match mod move mut pub ref return self static struct super trait type unsafe \
               use where while yield macro_rules",
    soft_keywords: "union gen raw",
    types: "bool char f32 f64 i8 i16 i32 i64 i128 isize str u8 u16 u32 u64 u128 usize Self",
    constants: "true false",
    define_functions: "fn",
    define_types: "struct enum trait type union",
    block_comments: &[("/*", "*/")],
    strings: &[
        Quote {
            prefixes: Prefixes::Hashes("r br cr"),
            escape: Escape::None,
            ..Quote::DOUBLE_LINES
        },
        Quote { prefixes: Prefixes::Needed("b c"), ..Quote::DOUBLE_LINES },
        Quote::DOUBLE_LINES,
    ],
    quirks: &[
        Quirk::BangMacros,
        Quirk::Calls,
        Quirk::CapitalTypes,
        Quirk::Characters,
        Quirk::HashAttributes,
        Quirk::Lifetimes,
        Quirk::NestedComments,
    ],
    ..SLASHES
};

const C_STRINGS: &[Quote] = &[
    Quote { open: "R\"(", close: ")\"", escape: Escape::None, span: Span::Lines, ..Quote::DOUBLE },
    Quote { prefixes: Prefixes::Needed("L u U u8"), ..Quote::DOUBLE },
    Quote::DOUBLE,
    Quote::SINGLE,
];

pub(crate) static C: Dialect = Dialect {
    keywords: "alignas alignof auto break case const constexpr continue default do else enum extern \
               for goto if inline register restrict return sizeof static static_assert struct switch \
               thread_local typedef typeof union volatile while _Alignas _Alignof _Atomic _Generic \
               _Noreturn _Static_assert _Thread_local",
    types: "bool char double float int long short signed unsigned void size_t ssize_t ptrdiff_t \
            int8_t int16_t int32_t int64_t uint8_t uint16_t uint32_t uint64_t intptr_t uintptr_t \
            wchar_t FILE va_list",
    constants: "true false NULL nullptr stdin stdout stderr errno",
    define_types: "struct enum union",
    strings: C_STRINGS,
    quirks: &[Quirk::Calls, Quirk::CapitalCalls, Quirk::CapitalTypes, Quirk::Preprocessor],
    ..SLASHES
};

/// C++, and what is close to it: CUDA, GLSL, HLSL.
pub(crate) static CPP: Dialect = Dialect {
    keywords: "alignas alignof and asm auto break case catch class co_await co_return co_yield \
               concept const consteval constexpr constinit const_cast continue decltype default \
               delete do dynamic_cast else enum explicit export extern final for friend goto if \
               import inline module mutable namespace new noexcept not operator or override private \
               protected public register reinterpret_cast requires return sizeof static \
               static_assert static_cast struct switch template this thread_local throw try typedef \
               typeid typename union using virtual volatile while xor uniform varying attribute \
               layout in out inout precision highp mediump lowp __global__ __device__ __host__ \
               __shared__",
    types: "bool char char8_t char16_t char32_t double float int long short signed unsigned void \
            wchar_t size_t ptrdiff_t int8_t int16_t int32_t int64_t uint8_t uint16_t uint32_t \
            uint64_t string string_view vector map set pair tuple optional variant function array \
            unique_ptr shared_ptr unordered_map vec2 vec3 vec4 mat2 mat3 mat4 sampler2D",
    constants: "true false NULL nullptr",
    define_types: "class struct enum union concept",
    strings: C_STRINGS,
    quirks: &[Quirk::Calls, Quirk::CapitalTypes, Quirk::Preprocessor],
    ..SLASHES
};

pub(crate) static OBJECTIVE_C: Dialect = Dialect {
    keywords: "auto break case class const continue default do else enum extern for goto if in \
               inline return self sizeof static struct super switch typedef union volatile while \
               nonatomic strong weak copy assign readonly readwrite nullable nonnull __block __weak",
    types: "BOOL bool char double float id instancetype int long short signed unsigned void SEL \
            Class",
    constants: "YES NO nil Nil NULL true false",
    define_types: "struct enum union",
    strings: C_STRINGS,
    quirks: &[Quirk::AtFunctions, Quirk::Calls, Quirk::CapitalTypes, Quirk::Preprocessor],
    ..SLASHES
};

pub(crate) static GO: Dialect = Dialect {
    keywords: "break case chan const continue default defer else fallthrough for func go goto if \
               import interface map package range return select struct switch type var",
    types: "any bool byte comparable complex64 complex128 error float32 float64 int int8 int16 \
            int32 int64 rune string uint uint8 uint16 uint32 uint64 uintptr",
    constants: "true false nil iota",
    functions: "append cap clear close complex copy delete imag len make max min new panic print \
                println real recover",
    define_functions: "func",
    define_types: "type",
    strings: &[Quote::BACKTICK, Quote::DOUBLE, Quote::SINGLE],
    quirks: &[Quirk::Calls, Quirk::CapitalCalls, Quirk::CapitalTypes],
    ..SLASHES
};

pub(crate) static ZIG: Dialect = Dialect {
    keywords: "addrspace align allowzero and anyframe asm async await break callconv catch comptime \
               const continue defer else enum errdefer error export extern fn for if inline noalias \
               noinline nosuspend opaque or orelse packed pub resume return linksection struct \
               suspend switch test threadlocal try union unreachable usingnamespace var volatile \
               while",
    types: "anyerror anytype anyopaque bool comptime_float comptime_int f16 f32 f64 f80 f128 i8 i16 \
            i32 i64 i128 isize noreturn type u8 u16 u32 u64 u128 usize void c_int c_uint c_char \
            c_long",
    constants: "true false null undefined",
    define_functions: "fn",
    line_comments: &["//"],
    strings: &[
        Quote { open: "\\\\", close: "\n", escape: Escape::None, ..Quote::DOUBLE },
        Quote::DOUBLE,
        Quote::SINGLE,
    ],
    quirks: &[Quirk::AtFunctions, Quirk::Calls, Quirk::CapitalTypes],
    ..Dialect::NONE
};

pub(crate) static SWIFT: Dialect = Dialect {
    keywords: "actor any as associatedtype async await borrowing break case catch class consuming \
               continue convenience default defer deinit do dynamic else enum extension fallthrough \
               fileprivate final for func get guard if import in indirect infix init inout internal \
               is isolated lazy let mutating nonisolated nonmutating open operator optional override \
               postfix precedencegroup prefix private protocol public repeat required rethrows \
               return self set some static struct subscript super switch throw throws try typealias \
               unowned var weak where while willSet didSet",
    constants: "true false nil",
    types: "Self Any",
    define_functions: "func",
    define_types: "class struct enum protocol extension actor typealias associatedtype",
    strings: &[
        Quote { holes: Holes::BackslashParenthesis, ..Quote::TRIPLE_DOUBLE },
        Quote { holes: Holes::BackslashParenthesis, ..Quote::DOUBLE },
    ],
    quirks: &[
        Quirk::AtAttributes,
        Quirk::Calls,
        Quirk::CapitalTypes,
        Quirk::NestedComments,
        Quirk::Preprocessor,
    ],
    ..SLASHES
};

pub(crate) static D: Dialect = Dialect {
    keywords: "abstract alias align asm assert auto body break case cast catch class const continue \
               debug default delegate delete deprecated do else enum export extern final finally for \
               foreach foreach_reverse function goto if immutable import in inout interface invariant \
               is lazy mixin module new nothrow out override package pragma private protected public \
               pure ref return scope shared static struct super switch synchronized template this \
               throw try typeid typeof union unittest version while with",
    types: "bool byte char dchar double float int long real short string ubyte uint ulong ushort \
            void wchar size_t",
    constants: "true false null",
    define_types: "class struct enum union interface template",
    strings: &[Quote::BACKTICK, Quote::DOUBLE_LINES, Quote::SINGLE],
    block_comments: &[("/*", "*/"), ("/+", "+/")],
    quirks: &[Quirk::AtAttributes, Quirk::Calls, Quirk::CapitalTypes],
    ..SLASHES
};

pub(crate) static NIM: Dialect = Dialect {
    keywords: "addr and as asm bind block break case cast concept const continue converter defer \
               discard distinct div do elif else end enum except export finally for from func if \
               import in include interface is isnot iterator let macro method mixin mod nil not \
               notin object of or out proc ptr raise ref return shl shr static template try tuple \
               type using var when while xor yield",
    types: "bool char float float32 float64 int int8 int16 int32 int64 seq string uint auto void",
    constants: "true false",
    define_functions: "proc func method iterator template macro converter",
    block_comments: &[("#[", "]#")],
    strings: &[Quote::TRIPLE_DOUBLE, Quote::DOUBLE, Quote::SINGLE],
    quirks: &[Quirk::Calls, Quirk::CapitalTypes, Quirk::NestedComments],
    ..HASHES
};

pub(crate) static PASCAL: Dialect = Dialect {
    keywords: "and array as asm begin case class const constructor destructor div do downto else end \
               except exports file finalization finally for function goto if implementation in \
               inherited initialization interface is label library mod not object of on or out \
               packed private procedure program property protected public published raise record \
               repeat set shl shr then threadvar to try type unit until uses var while with xor",
    types: "boolean byte cardinal char double extended int64 integer longint pointer real shortint \
            single string word",
    constants: "true false nil",
    define_functions: "function procedure constructor destructor",
    block_comments: &[("{", "}"), ("(*", "*)")],
    line_comments: &["//"],
    strings: &[Quote { escape: Escape::Doubled, ..Quote::SINGLE }],
    quirks: &[Quirk::Calls, Quirk::CapitalCalls, Quirk::IgnoreCase],
    ..Dialect::NONE
};

pub(crate) static FORTRAN: Dialect = Dialect {
    keywords: "allocatable allocate associate block call case contains continue cycle deallocate \
               dimension do elemental else elseif end enddo endif exit function if implicit in inout \
               intent interface module none only optional out parameter pointer print private \
               procedure program public pure read recursive result return save select stop subroutine \
               target then type use where while write",
    types: "character complex integer logical real double precision",
    define_functions: "function subroutine",
    line_comments: &["!"],
    strings: &[Quote::DOUBLE, Quote::SINGLE],
    quirks: &[Quirk::Calls, Quirk::IgnoreCase],
    ..Dialect::NONE
};

/// Assemblers; what is a comment differs, so all their marks are.
pub(crate) static ASSEMBLY: Dialect = Dialect {
    word_start: ".%",
    word_more: ".",
    types: "rax rbx rcx rdx rsi rdi rbp rsp r8 r9 r10 r11 r12 r13 r14 r15 eax ebx ecx edx esi edi ebp \
            esp al ah bl cl dl x0 x1 x2 x3 x29 x30 w0 w1 sp lr pc xmm0 xmm1 ymm0 ymm1 \
            %rax %rbx %rcx %rdx %rsi %rdi %rbp %rsp %eax %ebx %ecx %edx",
    keywords: ".text .data .bss .section .global .globl .align .ascii .asciz .byte .word .long .quad \
               section global extern db dw dd dq resb resd equ",
    functions: "mov lea add sub mul imul div idiv and or xor not neg shl shr push pop call ret jmp je \
                jne jz jnz jg jge jl jle cmp test nop syscall int ldr str stp ldp bl b ret adrp svc movq \
                movl addq subq pushq popq leaq cmpq testq xorl movzx movsx",
    line_comments: &[";", "//", "#"],
    strings: &[Quote::DOUBLE, Quote::SINGLE],
    ..SLASHES
};
