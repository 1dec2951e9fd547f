#include "textflag.h"

// func prefetch(p *uint8, n int)
TEXT ·prefetch(SB), NOSPLIT, $0-16
	MOVQ p+0(FP), AX
	MOVQ n+8(FP), CX
	ADDQ AX, CX

next:
	CMPQ       AX, CX
	JGE        done
	PREFETCHT0 (AX)
	ADDQ       $64, AX
	JMP        next

done:
	RET
