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

// pairs32, pairs64 and onto64 add up pairs of inputs of whole numbers: where a pair's columns are, and both inputs.
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

// The loops over pairs, for 128 outputs and for 64: n is in CX, the weights begin at SI, and the lists are read from their beginnings.
#define PAIRS128(next, done) \
	MOVQ which+24(FP), R9; \
	MOVQ whole+32(FP), R8; \
	MOVQ n+40(FP), CX; \
	TESTQ CX, CX; \
	JZ done; \
next: \
	COLUMNS(Z16); \
	LACE512(0, Z0, Z1); \
	LACE512(64, Z2, Z3); \
	LACE512(128, Z4, Z5); \
	LACE512(192, Z6, Z7); \
	DECQ CX; \
	JNZ next

#define PAIRS64(next, done) \
	MOVQ which+24(FP), R9; \
	MOVQ whole+32(FP), R8; \
	MOVQ n+40(FP), CX; \
	TESTQ CX, CX; \
	JZ done; \
next: \
	COLUMNS(Z16); \
	LACE512(0, Z0, Z1); \
	LACE512(64, Z2, Z3); \
	DECQ CX; \
	JNZ next

// What a sum brings an output: times its units (at R12) times the unit of all.
#define BRING(at, Z) \
	VCVTDQ2PS Z, Z; \
	VMULPS at(R12), Z21, Z22; \
	VMULPS Z22, Z, Z; \
	VADDPS at(DI), Z, Z; \
	VMOVUPS Z, at(DI)

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

// func pairs64(sums *int32, weight *int16, stride int, which *uint16, whole *int16, n, width int)
TEXT ·pairs64(SB), NOSPLIT, $0-56
	MOVQ sums+0(FP), DI
	MOVQ weight+8(FP), SI
	MOVQ stride+16(FP), DX
	MOVQ width+48(FP), BX

more:
	CMPQ BX, $128
	JLT last
	VMOVDQU32 0(DI), Z0
	VMOVDQU32 64(DI), Z1
	VMOVDQU32 128(DI), Z2
	VMOVDQU32 192(DI), Z3
	VMOVDQU32 256(DI), Z4
	VMOVDQU32 320(DI), Z5
	VMOVDQU32 384(DI), Z6
	VMOVDQU32 448(DI), Z7
	PAIRS128(next128, done128)

done128:
	VMOVDQU32 Z0, 0(DI)
	VMOVDQU32 Z1, 64(DI)
	VMOVDQU32 Z2, 128(DI)
	VMOVDQU32 Z3, 192(DI)
	VMOVDQU32 Z4, 256(DI)
	VMOVDQU32 Z5, 320(DI)
	VMOVDQU32 Z6, 384(DI)
	VMOVDQU32 Z7, 448(DI)
	ADDQ $512, DI
	ADDQ $256, SI
	SUBQ $128, BX
	JMP more

last:
	TESTQ BX, BX
	JZ done
	VMOVDQU32 0(DI), Z0
	VMOVDQU32 64(DI), Z1
	VMOVDQU32 128(DI), Z2
	VMOVDQU32 192(DI), Z3
	PAIRS64(next64, done64)

done64:
	VMOVDQU32 Z0, 0(DI)
	VMOVDQU32 Z1, 64(DI)
	VMOVDQU32 Z2, 128(DI)
	VMOVDQU32 Z3, 192(DI)

done:
	VZEROUPPER
	RET

// func onto64(out *float32, weight *int16, stride int, which *uint16, whole *int16, n, width int, units *float32, unit float32)
TEXT ·onto64(SB), NOSPLIT, $0-68
	MOVQ out+0(FP), DI
	MOVQ weight+8(FP), SI
	MOVQ stride+16(FP), DX
	MOVQ width+48(FP), BX
	MOVQ units+56(FP), R12
	VBROADCASTSS unit+64(FP), Z21

more:
	VPXORD Z0, Z0, Z0
	VPXORD Z1, Z1, Z1
	VPXORD Z2, Z2, Z2
	VPXORD Z3, Z3, Z3
	CMPQ BX, $128
	JLT last
	VPXORD Z4, Z4, Z4
	VPXORD Z5, Z5, Z5
	VPXORD Z6, Z6, Z6
	VPXORD Z7, Z7, Z7
	PAIRS128(next128, done128)

done128:
	BRING(0, Z0)
	BRING(64, Z1)
	BRING(128, Z2)
	BRING(192, Z3)
	BRING(256, Z4)
	BRING(320, Z5)
	BRING(384, Z6)
	BRING(448, Z7)
	ADDQ $512, DI
	ADDQ $512, R12
	ADDQ $256, SI
	SUBQ $128, BX
	JMP more

last:
	TESTQ BX, BX
	JZ done
	PAIRS64(next64, done64)

done64:
	BRING(0, Z0)
	BRING(64, Z1)
	BRING(128, Z2)
	BRING(192, Z3)

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

// func sums8(x *float32, n int, s *[8]float64)
TEXT ·sums8(SB), NOSPLIT, $0-24
	MOVQ x+0(FP), DI
	MOVQ n+8(FP), CX
	MOVQ s+16(FP), DX
	VMOVUPD 0(DX), Y0
	VMOVUPD 32(DX), Y1

next:
	VCVTPS2PD 0(DI), Y2
	VCVTPS2PD 16(DI), Y3
	VADDPD Y2, Y0, Y0
	VADDPD Y3, Y1, Y1
	ADDQ $32, DI
	DECQ CX
	JNZ next
	VMOVUPD Y0, 0(DX)
	VMOVUPD Y1, 32(DX)
	VZEROUPPER
	RET

// func squares8(x *float32, n int, mean float64, s *[8]float64)
TEXT ·squares8(SB), NOSPLIT, $0-32
	MOVQ x+0(FP), DI
	MOVQ n+8(FP), CX
	VBROADCASTSD mean+16(FP), Y4
	MOVQ s+24(FP), DX
	VMOVUPD 0(DX), Y0
	VMOVUPD 32(DX), Y1

next:
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
	JNZ next
	VMOVUPD Y0, 0(DX)
	VMOVUPD Y1, 32(DX)
	VZEROUPPER
	RET

// func spread8(x, gain, shift *float32, middle, scale float32, n int)
TEXT ·spread8(SB), NOSPLIT, $0-40
	MOVQ x+0(FP), DI
	MOVQ gain+8(FP), SI
	MOVQ shift+16(FP), R8
	VBROADCASTSS middle+24(FP), Y1
	VBROADCASTSS scale+28(FP), Y2
	MOVQ n+32(FP), CX

next:
	VMOVUPS (DI), Y0
	VSUBPS Y1, Y0, Y0
	VMULPS Y2, Y0, Y0
	VMULPS (SI), Y0, Y0
	VADDPS (R8), Y0, Y0
	VMOVUPS Y0, (DI)
	ADDQ $32, DI
	ADDQ $32, SI
	ADDQ $32, R8
	DECQ CX
	JNZ next
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

// func tops16(x *float32, n int) (top uint32)
TEXT ·tops16(SB), NOSPLIT, $0-20
	MOVQ x+0(FP), SI
	MOVQ n+8(FP), CX
	VPTERNLOGD $255, Z1, Z1, Z1
	VPSRLD $1, Z1, Z1
	VPXORD Z0, Z0, Z0

next:
	VPANDD (SI), Z1, Z2
	VPMAXUD Z2, Z0, Z0
	ADDQ $64, SI
	DECQ CX
	JNZ next
	VEXTRACTI64X4 $1, Z0, Y1
	VPMAXUD Y1, Y0, Y0
	VEXTRACTI128 $1, Y0, X1
	VPMAXUD X1, X0, X0
	VPSHUFD $0x4e, X0, X1
	VPMAXUD X1, X0, X0
	VPSHUFD $0xb1, X0, X1
	VPMAXUD X1, X0, X0
	VMOVD X0, AX
	VZEROUPPER
	MOVL AX, top+16(FP)
	RET

// func round16(x *float32, n int, up float32, which *uint16, whole *int16) (found int)
TEXT ·round16(SB), NOSPLIT, $0-48
	MOVQ x+0(FP), SI
	MOVQ n+8(FP), CX
	VBROADCASTSS up+16(FP), Z1
	MOVQ which+24(FP), R10
	MOVQ whole+32(FP), R11
	VPTERNLOGD $255, Z2, Z2, Z2
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
	XORL DI, DI

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
	VZEROUPPER
	MOVQ DI, found+40(FP)
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
