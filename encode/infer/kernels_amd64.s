#include "textflag.h"

// Products and sums apart, never fused: the same bits as Go's.

// add64, add32 and add8 differ in what a register holds and in how many of them the outputs take: V names a
// register, Z or Y, and at is the offset of its outputs in bytes.

#define ARGUMENTS \
	MOVQ out+0(FP), DI; \
	MOVQ weight+8(FP), SI; \
	MOVQ stride+16(FP), DX; \
	MOVQ x+24(FP), R8; \
	MOVQ used+32(FP), R9; \
	MOVQ n+40(FP), CX

// Four inputs into V4 to V7, and where their columns begin into R10 to R13.
#define FOUR(V4, V5, V6, V7) \
	MOVLQSX 0(R9), R10; \
	MOVLQSX 4(R9), R11; \
	MOVLQSX 8(R9), R12; \
	MOVLQSX 12(R9), R13; \
	VBROADCASTSS (R8)(R10*4), V4; \
	VBROADCASTSS (R8)(R11*4), V5; \
	VBROADCASTSS (R8)(R12*4), V6; \
	VBROADCASTSS (R8)(R13*4), V7; \
	IMULQ DX, R10; \
	ADDQ SI, R10; \
	IMULQ DX, R11; \
	ADDQ SI, R11; \
	IMULQ DX, R12; \
	ADDQ SI, R12; \
	IMULQ DX, R13; \
	ADDQ SI, R13

// Their products, added up in pairs, onto the outputs in V.
#define ADDFOUR(at, V, V4, V5, V6, V7, V8, V9, V10, V11) \
	VMULPS at(R10), V4, V8; \
	VMULPS at(R11), V5, V9; \
	VMULPS at(R12), V6, V10; \
	VMULPS at(R13), V7, V11; \
	VADDPS V9, V8, V8; \
	VADDPS V11, V10, V10; \
	VADDPS V10, V8, V8; \
	VADDPS V8, V, V

// One input into V4, and where its column begins into R10.
#define ONE(V4) \
	MOVLQSX (R9), R10; \
	VBROADCASTSS (R8)(R10*4), V4; \
	IMULQ DX, R10; \
	ADDQ SI, R10

#define ADDONE(at, V, V4, V8) \
	VMULPS at(R10), V4, V8; \
	VADDPS V8, V, V

// pairs32, pairs64, onto64 and narrow64 add up pairs of inputs of whole numbers: where a pair's columns are, and both inputs.
// Of 32 outputs that lie together the columns of two inputs are laced, so that one instruction multiplies and adds the two.

#define COLUMNS(V) \
	MOVWLZX 0(R9), R10; \
	MOVWLZX 2(R9), R11; \
	VPBROADCASTD (R8), V; \
	IMULQ DX, R10; \
	ADDQ SI, R10; \
	IMULQ DX, R11; \
	ADDQ SI, R11; \
	ADDQ $4, R9; \
	ADDQ $4, R8

#define LACE(at, LOW, HIGH) \
	VMOVDQU at(R10), Y9; \
	VMOVDQU at(R11), Y10; \
	VPUNPCKLWD Y10, Y9, Y11; \
	VPUNPCKHWD Y10, Y9, Y12; \
	VPMADDWD Y8, Y11, Y11; \
	VPMADDWD Y8, Y12, Y12; \
	VPADDD Y11, LOW, LOW; \
	VPADDD Y12, HIGH, HIGH

#define LACE512(at, LOW, HIGH) \
	VMOVDQU32 at(R10), Z17; \
	VMOVDQU32 at(R11), Z18; \
	VPUNPCKLWD Z18, Z17, Z19; \
	VPUNPCKHWD Z18, Z17, Z20; \
	VPDPWSSD Z16, Z19, LOW; \
	VPDPWSSD Z16, Z20, HIGH

// Of 64 outputs whose weights are bytes: a word has that of one output less 128 below that of another. V1 and V2 sum up words, H1 and
// H2 what is above.
#define LACEBYTES(at, V1, V2, H1, H2) \
	VMOVDQU32 at(R10), Z17; \
	VMOVDQU32 at(R11), Z18; \
	VPUNPCKLWD Z18, Z17, Z19; \
	VPUNPCKHWD Z18, Z17, Z20; \
	VPDPWSSD Z16, Z19, V1; \
	VPDPWSSD Z16, Z20, V2; \
	VPSRAW $8, Z19, Z19; \
	VPSRAW $8, Z20, Z20; \
	VPDPWSSD Z16, Z19, H1; \
	VPDPWSSD Z16, Z20, H2

// What is done with the sums of 64, 128 or 256 outputs, which lie in registers from Z0 on: DO takes the offset in bytes and the register.
#define ON64(DO) \
	DO(0, Z0); \
	DO(64, Z1); \
	DO(128, Z2); \
	DO(192, Z3)

#define ON128(DO) \
	ON64(DO); \
	DO(256, Z4); \
	DO(320, Z5); \
	DO(384, Z6); \
	DO(448, Z7)

#define ON256(DO) \
	ON128(DO); \
	DO(512, Z8); \
	DO(576, Z9); \
	DO(640, Z10); \
	DO(704, Z11); \
	DO(768, Z12); \
	DO(832, Z13); \
	DO(896, Z14); \
	DO(960, Z15)

#define READ(at, Z) VMOVDQU32 at(DI), Z
#define WRITE(at, Z) VMOVDQU32 Z, at(DI)
#define ZERO(at, Z) VPXORD Z, Z, Z

// What a sum brings an output: times its units (at R12) times the unit of all, on top of what is at AX.
#define BRING(at, Z) \
	VCVTDQ2PS Z, Z; \
	VMULPS at(R12), Z21, Z22; \
	VMULPS Z22, Z, Z; \
	VADDPS at(AX), Z, Z

#define FLOOR(at, Z) VMAXPS Z24, Z, Z

#define FOLD64 \
	LACE512(0, Z0, Z1); \
	LACE512(64, Z2, Z3)

#define FOLD128 \
	FOLD64; \
	LACE512(128, Z4, Z5); \
	LACE512(192, Z6, Z7)

#define FOLD256 \
	FOLD128; \
	LACE512(256, Z8, Z9); \
	LACE512(320, Z10, Z11); \
	LACE512(384, Z12, Z13); \
	LACE512(448, Z14, Z15)

#define FOLDBYTES64 \
	VPDPWSSD Z16, Z25, Z23; \
	LACEBYTES(0, Z0, Z1, Z2, Z3)

#define FOLDBYTES128 \
	FOLDBYTES64; \
	LACEBYTES(64, Z4, Z5, Z6, Z7)

#define FOLDBYTES256 \
	FOLDBYTES128; \
	LACEBYTES(128, Z8, Z9, Z10, Z11); \
	LACEBYTES(192, Z12, Z13, Z14, Z15)

// All pairs, for as many outputs as ON and FOLD are of, if there are as many left, else it continues with fewer. The weights begin at SI and
// have this many bytes each, the lists are read from their beginnings.
#define PAIRS(outputs, ON, FOLD, FROM, next, done, fewer) \
	CMPQ BX, $outputs; \
	JLT fewer; \
	ON(FROM); \
	MOVQ which+32(FP), R9; \
	MOVQ whole+40(FP), R8; \
	MOVQ n+48(FP), CX; \
	TESTQ CX, CX; \
	JZ done; \
next: \
	COLUMNS(Z16); \
	FOLD; \
	DECQ CX; \
	JNZ next; \
done:

// Their sums are written as they are, and the next outputs are at hand.
#define SUMS(outputs, ON) \
	ON(WRITE); \
	ADDQ $(4*outputs), DI; \
	ADDQ $(2*outputs), SI; \
	SUBQ $outputs, BX

// Or as what they bring, and no less than 0 if there is a floor.
#define BROUGHT(outputs, bytes, ON, open) \
	ON(BRING); \
	CMPB floor+76(FP), $0; \
	JEQ open; \
	ON(FLOOR); \
open: \
	ON(WRITE); \
	ADDQ $(4*outputs), DI; \
	ADDQ $(4*outputs), AX; \
	ADDQ $(4*outputs), R12; \
	ADDQ $(bytes*outputs), SI; \
	SUBQ $outputs, BX

// The sums of two outputs of bytes: of words, less what is above and less 128 of each input.
#define PART(V, H) \
	VPSLLD $8, H, Z22; \
	VPSUBD Z22, V, V; \
	VPSUBD Z23, V, V

#define PART64(V1, V2, H1, H2) \
	PART(V1, H1); \
	PART(V2, H2)

#define BRINGER \
	MOVQ out+0(FP), DI; \
	MOVQ base+8(FP), AX; \
	MOVQ weight+16(FP), SI; \
	MOVQ stride+24(FP), DX; \
	MOVQ width+56(FP), BX; \
	MOVQ units+64(FP), R12; \
	VBROADCASTSS unit+72(FP), Z21; \
	VPXORD Z24, Z24, Z24

// func add64(out, weight *float32, stride int, x *float32, used *int32, n int)
TEXT ·add64(SB), NOSPLIT, $0-48
	ARGUMENTS
	VMOVUPS 0(DI), Z0
	VMOVUPS 64(DI), Z1
	VMOVUPS 128(DI), Z2
	VMOVUPS 192(DI), Z3

four:
	CMPQ CX, $4
	JLT one
	FOUR(Z4, Z5, Z6, Z7)
	ADDFOUR(0, Z0, Z4, Z5, Z6, Z7, Z8, Z9, Z10, Z11)
	ADDFOUR(64, Z1, Z4, Z5, Z6, Z7, Z8, Z9, Z10, Z11)
	ADDFOUR(128, Z2, Z4, Z5, Z6, Z7, Z8, Z9, Z10, Z11)
	ADDFOUR(192, Z3, Z4, Z5, Z6, Z7, Z8, Z9, Z10, Z11)
	ADDQ $16, R9
	SUBQ $4, CX
	JMP four

one:
	TESTQ CX, CX
	JZ done
	ONE(Z4)
	ADDONE(0, Z0, Z4, Z8)
	ADDONE(64, Z1, Z4, Z8)
	ADDONE(128, Z2, Z4, Z8)
	ADDONE(192, Z3, Z4, Z8)
	ADDQ $4, R9
	DECQ CX
	JMP one

done:
	VMOVUPS Z0, 0(DI)
	VMOVUPS Z1, 64(DI)
	VMOVUPS Z2, 128(DI)
	VMOVUPS Z3, 192(DI)
	VZEROUPPER
	RET

// func add32(out, weight *float32, stride int, x *float32, used *int32, n int)
TEXT ·add32(SB), NOSPLIT, $0-48
	ARGUMENTS
	VMOVUPS 0(DI), Y0
	VMOVUPS 32(DI), Y1
	VMOVUPS 64(DI), Y2
	VMOVUPS 96(DI), Y3

four:
	CMPQ CX, $4
	JLT one
	FOUR(Y4, Y5, Y6, Y7)
	ADDFOUR(0, Y0, Y4, Y5, Y6, Y7, Y8, Y9, Y10, Y11)
	ADDFOUR(32, Y1, Y4, Y5, Y6, Y7, Y8, Y9, Y10, Y11)
	ADDFOUR(64, Y2, Y4, Y5, Y6, Y7, Y8, Y9, Y10, Y11)
	ADDFOUR(96, Y3, Y4, Y5, Y6, Y7, Y8, Y9, Y10, Y11)
	ADDQ $16, R9
	SUBQ $4, CX
	JMP four

one:
	TESTQ CX, CX
	JZ done
	ONE(Y4)
	ADDONE(0, Y0, Y4, Y8)
	ADDONE(32, Y1, Y4, Y8)
	ADDONE(64, Y2, Y4, Y8)
	ADDONE(96, Y3, Y4, Y8)
	ADDQ $4, R9
	DECQ CX
	JMP one

done:
	VMOVUPS Y0, 0(DI)
	VMOVUPS Y1, 32(DI)
	VMOVUPS Y2, 64(DI)
	VMOVUPS Y3, 96(DI)
	VZEROUPPER
	RET

// func add8(out, weight *float32, stride int, x *float32, used *int32, n int)
TEXT ·add8(SB), NOSPLIT, $0-48
	ARGUMENTS
	VMOVUPS 0(DI), Y0

four:
	CMPQ CX, $4
	JLT one
	FOUR(Y4, Y5, Y6, Y7)
	ADDFOUR(0, Y0, Y4, Y5, Y6, Y7, Y8, Y9, Y10, Y11)
	ADDQ $16, R9
	SUBQ $4, CX
	JMP four

one:
	TESTQ CX, CX
	JZ done
	ONE(Y4)
	ADDONE(0, Y0, Y4, Y8)
	ADDQ $4, R9
	DECQ CX
	JMP one

done:
	VMOVUPS Y0, 0(DI)
	VZEROUPPER
	RET

// func dot8(w, x *float32, n int, s *[8]float32)
TEXT ·dot8(SB), NOSPLIT, $0-32
	MOVQ w+0(FP), SI
	MOVQ x+8(FP), DI
	MOVQ n+16(FP), CX
	MOVQ s+24(FP), DX
	VMOVUPS (DX), Y0

next:
	VMOVUPS (SI), Y1
	VMULPS (DI), Y1, Y1
	VADDPS Y1, Y0, Y0
	ADDQ $32, SI
	ADDQ $32, DI
	DECQ CX
	JNZ next
	VMOVUPS Y0, (DX)
	VZEROUPPER
	RET

// func relu8(x *float32, n int)
TEXT ·relu8(SB), NOSPLIT, $0-16
	MOVQ x+0(FP), DI
	MOVQ n+8(FP), CX
	VXORPS Y1, Y1, Y1

next:
	VMOVUPS (DI), Y0
	VMAXPS Y1, Y0, Y0
	VMOVUPS Y0, (DI)
	ADDQ $32, DI
	DECQ CX
	JNZ next
	VZEROUPPER
	RET

// func pairs64(sums *int32, width int, weight *int16, stride int, which *uint16, whole *int16, n int)
TEXT ·pairs64(SB), NOSPLIT, $0-56
	MOVQ sums+0(FP), DI
	MOVQ width+8(FP), BX
	MOVQ weight+16(FP), SI
	MOVQ stride+24(FP), DX

more:
	PAIRS(256, ON256, FOLD256, READ, next256, done256, some)
	SUMS(256, ON256)
	JMP more

some:
	PAIRS(128, ON128, FOLD128, READ, next128, done128, few)
	SUMS(128, ON128)

few:
	PAIRS(64, ON64, FOLD64, READ, next64, done64, done)
	SUMS(64, ON64)

done:
	VZEROUPPER
	RET

// func onto64(out, base *float32, weight *int16, stride int, which *uint16, whole *int16, n, width int, units *float32, unit float32, floor bool)
TEXT ·onto64(SB), NOSPLIT, $0-77
	BRINGER

more:
	PAIRS(256, ON256, FOLD256, ZERO, next256, done256, some)
	BROUGHT(256, 2, ON256, open256)
	JMP more

some:
	PAIRS(128, ON128, FOLD128, ZERO, next128, done128, few)
	BROUGHT(128, 2, ON128, open128)

few:
	PAIRS(64, ON64, FOLD64, ZERO, next64, done64, done)
	BROUGHT(64, 2, ON64, open64)

done:
	VZEROUPPER
	RET

// func narrow64(out, base *float32, weight *uint8, stride int, which *uint16, whole *int16, n, width int, units *float32, unit float32, floor bool)
TEXT ·narrow64(SB), NOSPLIT, $0-77
	BRINGER
	VPTERNLOGD $255, Z25, Z25, Z25
	VPSRLW $15, Z25, Z25 // ones

more:
	VPXORD Z23, Z23, Z23
	PAIRS(256, ON256, FOLDBYTES256, ZERO, next256, done256, some)
	VPSLLD $7, Z23, Z23
	PART64(Z0, Z1, Z2, Z3)
	PART64(Z4, Z5, Z6, Z7)
	PART64(Z8, Z9, Z10, Z11)
	PART64(Z12, Z13, Z14, Z15)
	BROUGHT(256, 1, ON256, open256)
	JMP more

some:
	PAIRS(128, ON128, FOLDBYTES128, ZERO, next128, done128, few)
	VPSLLD $7, Z23, Z23
	PART64(Z0, Z1, Z2, Z3)
	PART64(Z4, Z5, Z6, Z7)
	BROUGHT(128, 1, ON128, open128)
	VPXORD Z23, Z23, Z23

few:
	PAIRS(64, ON64, FOLDBYTES64, ZERO, next64, done64, done)
	VPSLLD $7, Z23, Z23
	PART64(Z0, Z1, Z2, Z3)
	BROUGHT(64, 1, ON64, open64)

done:
	VZEROUPPER
	RET

// func pairs32(sums *int32, weight *int16, stride int, which *uint16, whole *int16, n int)
TEXT ·pairs32(SB), NOSPLIT, $0-48
	MOVQ sums+0(FP), DI
	MOVQ weight+8(FP), SI
	MOVQ stride+16(FP), DX
	MOVQ which+24(FP), R9
	MOVQ whole+32(FP), R8
	MOVQ n+40(FP), CX
	VMOVDQU 0(DI), Y0
	VMOVDQU 32(DI), Y1
	VMOVDQU 64(DI), Y2
	VMOVDQU 96(DI), Y3

next:
	TESTQ CX, CX
	JZ done
	COLUMNS(Y8)
	LACE(0, Y0, Y2)
	LACE(32, Y1, Y3)
	DECQ CX
	JMP next

done:
	VMOVDQU Y0, 0(DI)
	VMOVDQU Y1, 32(DI)
	VMOVDQU Y2, 64(DI)
	VMOVDQU Y3, 96(DI)
	VZEROUPPER
	RET

// func brought8(out *float32, sums *int32, units *float32, unit float32, n int)
TEXT ·brought8(SB), NOSPLIT, $0-40
	MOVQ out+0(FP), DI
	MOVQ sums+8(FP), SI
	MOVQ units+16(FP), R8
	VBROADCASTSS unit+24(FP), Y1
	MOVQ n+32(FP), CX

next:
	VCVTDQ2PS (SI), Y0
	VMULPS (R8), Y1, Y2
	VMULPS Y2, Y0, Y0
	VADDPS (DI), Y0, Y0
	VMOVUPS Y0, (DI)
	ADDQ $32, DI
	ADDQ $32, SI
	ADDQ $32, R8
	DECQ CX
	JNZ next
	VZEROUPPER
	RET

// The mean of what lies in the lanes of Y0 and Y1, into each of Y0's.
#define MEAN \
	VADDPD Y1, Y0, Y0; \
	VEXTRACTF128 $1, Y0, X1; \
	VADDPD X1, X0, X0; \
	VUNPCKHPD X0, X0, X1; \
	VADDSD X1, X0, X0; \
	VDIVSD X6, X0, X0

// func norm8(x, gain, shift *float32, n int, eps float64, floor bool)
TEXT ·norm8(SB), NOSPLIT, $0-41
	MOVQ x+0(FP), DI
	MOVQ n+24(FP), CX
	LEAQ (CX*8), AX
	VXORPD X6, X6, X6
	VCVTSI2SDQ AX, X6, X6
	VXORPD Y0, Y0, Y0
	VXORPD Y1, Y1, Y1

sums:
	VCVTPS2PD 0(DI), Y2
	VCVTPS2PD 16(DI), Y3
	VADDPD Y2, Y0, Y0
	VADDPD Y3, Y1, Y1
	ADDQ $32, DI
	DECQ CX
	JNZ sums
	MEAN
	VCVTSD2SS X0, X0, X5
	VBROADCASTSS X5, Y5 // the middle
	VBROADCASTSD X0, Y4
	VXORPD Y0, Y0, Y0
	VXORPD Y1, Y1, Y1
	MOVQ x+0(FP), DI
	MOVQ n+24(FP), CX

squares:
	VCVTPS2PD 0(DI), Y2
	VCVTPS2PD 16(DI), Y3
	VSUBPD Y4, Y2, Y2
	VSUBPD Y4, Y3, Y3
	VMULPD Y2, Y2, Y2
	VMULPD Y3, Y3, Y3
	VADDPD Y2, Y0, Y0
	VADDPD Y3, Y1, Y1
	ADDQ $32, DI
	DECQ CX
	JNZ squares
	MEAN
	VADDSD eps+32(FP), X0, X0
	VSQRTSD X0, X0, X0
	MOVQ $0x3ff0000000000000, AX // 1
	VMOVQ AX, X1
	VDIVSD X0, X1, X1
	VCVTSD2SS X1, X1, X1
	VBROADCASTSS X1, Y1 // the scale
	VXORPS Y3, Y3, Y3
	MOVBLZX floor+40(FP), AX
	MOVQ x+0(FP), DI
	MOVQ gain+8(FP), SI
	MOVQ shift+16(FP), R8
	MOVQ n+24(FP), CX

spread:
	VMOVUPS (DI), Y0
	VSUBPS Y5, Y0, Y0
	VMULPS Y1, Y0, Y0
	VMULPS (SI), Y0, Y0
	VADDPS (R8), Y0, Y0
	TESTL AX, AX
	JZ open
	VMAXPS Y3, Y0, Y0

open:
	VMOVUPS Y0, (DI)
	ADDQ $32, DI
	ADDQ $32, SI
	ADDQ $32, R8
	DECQ CX
	JNZ spread
	VZEROUPPER
	RET

// One more byte of the set AX that differs.
#define CHANGE(at) \
	TZCNTL AX, DX; \
	ANDL $31, DX; \
	MOVBLZX (SI)(DX*1), R12; \
	MOVBLZX (R8)(DX*1), R13; \
	SUBL R13, R12; \
	MOVW R12, at(R11)(DI*2); \
	ADDL BX, DX; \
	MOVW DX, at(R10)(DI*2); \
	BLSRL AX, AX

// func changes32(from, before *uint8, n int, which *uint16, by *int16) (found int)
TEXT ·changes32(SB), NOSPLIT, $0-48
	MOVQ from+0(FP), SI
	MOVQ before+8(FP), R8
	MOVQ n+16(FP), CX
	MOVQ which+24(FP), R10
	MOVQ by+32(FP), R11
	XORL BX, BX
	XORL DI, DI

next:
	VMOVDQU (SI), Y0
	VPCMPEQB (R8), Y0, Y0
	VPMOVMSKB Y0, AX
	NOTL AX
	POPCNTL AX, R9

four: // at once, whether there are as many or not: what is guessed right costs nothing
	CHANGE(0)
	CHANGE(2)
	CHANGE(4)
	CHANGE(6)
	ADDQ $4, DI
	SUBQ $4, R9
	JGT four
	ADDQ R9, DI
	ADDQ $32, SI
	ADDQ $32, R8
	ADDL $32, BX
	DECQ CX
	JNZ next
	VZEROUPPER
	MOVQ DI, found+40(FP)
	RET

// func tops8(x *float32, n int, tops *[8]uint32)
TEXT ·tops8(SB), NOSPLIT, $0-24
	MOVQ x+0(FP), SI
	MOVQ n+8(FP), CX
	MOVQ tops+16(FP), DI
	VPCMPEQD Y1, Y1, Y1
	VPSRLD $1, Y1, Y1
	VPXOR Y0, Y0, Y0

next:
	VPAND (SI), Y1, Y2
	VPMAXUD Y2, Y0, Y0
	ADDQ $32, SI
	DECQ CX
	JNZ next
	VMOVDQU Y0, (DI)
	VZEROUPPER
	RET

// func round8(x *float32, n int, up float32, gathers *[256][16]uint8, which *uint16, whole *int16) (found int)
TEXT ·round8(SB), NOSPLIT, $0-56
	MOVQ x+0(FP), SI
	MOVQ n+8(FP), CX
	VBROADCASTSS up+16(FP), Y1
	MOVQ gathers+24(FP), R8
	MOVQ which+32(FP), R10
	MOVQ whole+40(FP), R11
	VPCMPEQD Y2, Y2, Y2
	VPSLLD $31, Y2, Y2 // the signs
	VPCMPEQD Y3, Y3, Y3
	VPSLLD $26, Y3, Y3
	VPSRLD $2, Y3, Y3 // halves
	VPXOR X4, X4, X4
	MOVQ $0x0706050403020100, AX
	VMOVQ AX, X6
	VPMOVZXBW X6, X6 // which numbers these are
	MOVQ $0x0808080808080808, AX
	VMOVQ AX, X7
	VPMOVZXBW X7, X7
	XORL DI, DI

next:
	VMULPS (SI), Y1, Y0
	VPAND Y2, Y0, Y5
	VPOR Y3, Y5, Y5
	VADDPS Y5, Y0, Y0
	VCVTTPS2DQ Y0, Y0
	VEXTRACTI128 $1, Y0, X5
	VPACKSSDW X5, X0, X0
	VPCMPEQW X4, X0, X5
	VPACKSSWB X5, X5, X5
	VPMOVMSKB X5, AX
	NOTL AX
	ANDL $255, AX
	POPCNTL AX, DX
	SHLL $4, AX
	VMOVDQU (R8)(AX*1), X5
	VPSHUFB X5, X0, X0
	VMOVDQU X0, (R11)(DI*2)
	VPSHUFB X5, X6, X0
	VMOVDQU X0, (R10)(DI*2)
	VPADDW X7, X6, X6
	ADDQ DX, DI
	ADDQ $32, SI
	DECQ CX
	JNZ next
	VZEROUPPER
	MOVQ DI, found+48(FP)
	RET

// func changes64(from, before *uint8, n int, which *uint16, by *int16) (found int)
TEXT ·changes64(SB), NOSPLIT, $0-48
	MOVQ from+0(FP), SI
	MOVQ before+8(FP), R8
	MOVQ n+16(FP), CX
	MOVQ which+24(FP), R10
	MOVQ by+32(FP), R11
	XORL DI, DI
	MOVQ $0x0706050403020100, AX
	VMOVQ AX, X10
	MOVQ $0x0808080808080808, AX
	VMOVQ AX, X11
	VPADDB X11, X10, X12
	VPUNPCKLQDQ X12, X10, X10
	VPADDB X11, X11, X11
	VPBROADCASTB X11, Y11
	VPADDB X11, X10, X12
	VINSERTI128 $1, X12, Y10, Y10
	VPADDB Y11, Y11, Y11
	VPADDB Y11, Y10, Y12
	VINSERTI64X4 $1, Y12, Z10, Z10 // 0 to 63: which bytes these are
	MOVL $64, AX
	VPBROADCASTW AX, Z13
	VPXORD Z11, Z11, Z11 // of the first of them
	KXNORQ K2, K2, K2

next:
	CMPQ CX, $64
	JGE full
	TESTQ CX, CX
	JZ done
	MOVQ $-1, AX
	BZHIQ CX, AX, AX
	KMOVQ AX, K2
	MOVQ $64, CX

full:
	VMOVDQU8.Z (SI), K2, Z0
	VMOVDQU8.Z (R8), K2, Z1
	VPCMPUB $4, Z1, Z0, K1
	KMOVQ K1, AX
	TESTQ AX, AX
	JZ same
	VPCOMPRESSB.Z Z0, K1, Z0
	VPCOMPRESSB.Z Z1, K1, Z1
	VPCOMPRESSB.Z Z10, K1, Z2
	POPCNTQ AX, DX
	VPMOVZXBW Y0, Z3
	VPMOVZXBW Y1, Z4
	VPMOVZXBW Y2, Z5
	VPSUBW Z4, Z3, Z3
	VPADDW Z11, Z5, Z5
	VMOVDQU32 Z3, (R11)(DI*2)
	VMOVDQU32 Z5, (R10)(DI*2)
	CMPQ DX, $32
	JLE counted
	VEXTRACTI64X4 $1, Z0, Y0
	VEXTRACTI64X4 $1, Z1, Y1
	VEXTRACTI64X4 $1, Z2, Y2
	VPMOVZXBW Y0, Z3
	VPMOVZXBW Y1, Z4
	VPMOVZXBW Y2, Z5
	VPSUBW Z4, Z3, Z3
	VPADDW Z11, Z5, Z5
	VMOVDQU32 Z3, 64(R11)(DI*2)
	VMOVDQU32 Z5, 64(R10)(DI*2)

counted:
	ADDQ DX, DI

same:
	VPADDW Z13, Z11, Z11
	ADDQ $64, SI
	ADDQ $64, R8
	SUBQ $64, CX
	JMP next

done:
	VZEROUPPER
	MOVQ DI, found+40(FP)
	RET

// func list16(x *float32, n int, which *uint16, whole *int16) (found int, most float32)
TEXT ·list16(SB), NOSPLIT, $0-44
	MOVQ x+0(FP), SI
	MOVQ n+8(FP), CX
	MOVQ which+16(FP), R10
	MOVQ whole+24(FP), R11
	VPTERNLOGD $255, Z2, Z2, Z2
	VPSRLD $1, Z2, Z1
	VPXORD Z0, Z0, Z0
	XORL DI, DI

top:
	VPANDD (SI), Z1, Z3
	VPMAXUD Z3, Z0, Z0
	ADDQ $64, SI
	DECQ CX
	JNZ top
	VEXTRACTI64X4 $1, Z0, Y3
	VPMAXUD Y3, Y0, Y0
	VEXTRACTI128 $1, Y0, X3
	VPMAXUD X3, X0, X0
	VPSHUFD $0x4e, X0, X3
	VPMAXUD X3, X0, X0
	VPSHUFD $0xb1, X0, X3
	VPMAXUD X3, X0, X0
	VMOVD X0, AX
	MOVL AX, most+40(FP)
	CMPL AX, $0x0da24260 // 1e-30
	JLS done
	CMPL AX, $0x7149f2ca // 1e30
	JCC done
	MOVL $0x457ff000, BX // mostWhole
	VMOVD BX, X3
	VDIVSS X0, X3, X3
	VBROADCASTSS X3, Z1
	VPSLLD $26, Z2, Z3
	VPSRLD $2, Z3, Z3 // halves
	VPSLLD $31, Z2, Z2 // the signs
	MOVQ $0x0706050403020100, AX
	VMOVQ AX, X6
	MOVQ $0x0f0e0d0c0b0a0908, AX
	VMOVQ AX, X7
	VPUNPCKLQDQ X7, X6, X6
	VPMOVZXBW X6, Y6 // which numbers these are
	MOVL $16, AX
	VPBROADCASTW AX, Y7
	MOVQ x+0(FP), SI
	MOVQ n+8(FP), CX

next:
	VMULPS (SI), Z1, Z0
	VPANDD Z2, Z0, Z5
	VPORD Z3, Z5, Z5
	VADDPS Z5, Z0, Z0
	VCVTTPS2DQ Z0, Z0
	VPTESTMD Z0, Z0, K1
	VPMOVDW Z0, Y0
	KMOVW K1, AX
	POPCNTL AX, DX
	VPCOMPRESSW.Z Y0, K1, Y0
	VPCOMPRESSW.Z Y6, K1, Y5
	VMOVDQU Y0, (R11)(DI*2)
	VMOVDQU Y5, (R10)(DI*2)
	VPADDW Y7, Y6, Y6
	ADDQ DX, DI
	ADDQ $64, SI
	DECQ CX
	JNZ next

done:
	VZEROUPPER
	MOVQ DI, found+32(FP)
	RET

// func pool8(vectors *float32, n, width int, mean, most *float32)
TEXT ·pool8(SB), NOSPLIT, $0-40
	MOVQ vectors+0(FP), SI
	MOVQ n+8(FP), AX
	MOVQ width+16(FP), DX
	MOVQ mean+24(FP), DI
	MOVQ most+32(FP), R8
	VCVTSI2SSQ AX, X3, X3
	VBROADCASTSS X3, Y3
	MOVQ DX, BX
	SHLQ $2, DX // bytes from a vector to the next

eight:
	VMOVUPS (SI), Y0
	VMOVAPS Y0, Y1
	MOVQ SI, R9
	MOVQ AX, CX

next:
	DECQ CX
	JZ done
	ADDQ DX, R9
	VMOVUPS (R9), Y2
	VADDPS Y2, Y0, Y0
	VMAXPS Y2, Y1, Y1
	JMP next

done:
	VDIVPS Y3, Y0, Y0
	VMOVUPS Y0, (DI)
	VMOVUPS Y1, (R8)
	ADDQ $32, SI
	ADDQ $32, DI
	ADDQ $32, R8
	SUBQ $8, BX
	JNZ eight
	VZEROUPPER
	RET
